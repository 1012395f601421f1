import { setTimeout as sleep } from 'node:timers/promises'
import { job, pontual } from '../../../src/index.ts'
import { postgres } from '../../../src/postgres.ts'
import { Chance } from '../../harness/chance.ts'

export const POLL_MS = 1_000
/** Far apart, so that none is found by the look for another. */
const CALLERS = 3

/** How long executions wait for their start on a node that hears no hints, in milliseconds. */
export async function measureStarts(nodeUrl: string, url: string, count: number): Promise<number[]> {
  const begun = new Map<string, (at: number) => void>()
  const quick = job('quick', { run: (token: string) => begun.get(token)?.(performance.now()) })
  await using node = pontual({ store: postgres(nodeUrl), jobs: [quick], logger: 'silent', pollInterval: POLL_MS })
  await node.start()
  await using app = pontual({ store: postgres(url), jobs: [quick], logger: 'silent' })
  const waits: number[] = []
  const call = async (_: unknown, index: number) => {
    const chance = new Chance(index)
    for (let turn = 0; waits.length < count; turn += 1) {
      await sleep(chance.between(0, 2 * POLL_MS))
      const token = `${index} ${turn}`
      const started = new Promise<number>((resolve) => begun.set(token, resolve))
      const enqueuedAt = performance.now()
      await app.enqueue(quick, token)
      waits.push((await started) - enqueuedAt)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, call))
  return waits.toSorted((a, b) => a - b)
}
