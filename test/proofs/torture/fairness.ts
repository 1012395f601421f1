import { setTimeout as sleep } from 'node:timers/promises'
import { systemEnv } from '../../../src/clock.ts'
import { job, pontual } from '../../../src/index.ts'
import { silentLogger } from '../../../src/logger.ts'
import { postgres } from '../../../src/postgres.ts'
import { enqueue } from './caps.ts'

export interface FairnessOptions {
  readonly url: string
  /** How many executions of one tenant wait. */
  readonly flood: number
  readonly tries: number
  /** Of each tenant; left out: any number. */
  readonly tenantConcurrency?: number
}

/** How long the first execution of one tenant after the other waits for its start while all slots of two nodes work on a flood of another. */
export async function measureFairness(options: FairnessOptions): Promise<number[]> {
  const { url, flood, tries, tenantConcurrency } = options
  const store = await postgres(url).open({ env: systemEnv, logger: silentLogger })
  await enqueue(store, 'flood', flood)
  await store.close()
  const begun = new Map<string, (at: number) => void>()
  const work = job('work', {
    run: async (_input: undefined, { tenant }) => {
      begun.get(tenant)?.(performance.now())
      await sleep(40)
    },
  })
  const setup = { jobs: [work], logger: 'silent', node: { slots: 10 }, tenantConcurrency } as const
  await using one = pontual({ ...setup, store: postgres(url) })
  await using other = pontual({ ...setup, store: postgres(url) })
  await Promise.all([one.start(), other.start()])
  const waits: number[] = []
  for (let n = 0; n < tries; n += 1) {
    const tenant = `small-${n}`
    await sleep(300)
    const startedAt = performance.now()
    const started = new Promise<number>((resolve) => begun.set(tenant, resolve))
    await one.enqueue(work, undefined, { tenant })
    waits.push((await started) - startedAt)
  }
  return waits
}
