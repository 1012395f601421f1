import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { serviceSlots } from '../../../src/cli/start-settings.ts'
import { job, pontual } from '../../../src/index.ts'
import { postgres } from '../../../src/postgres.ts'
import { createDatabase, isPostgresSkipped } from '../../harness/postgres/database.ts'
import { Gate } from '../../suites/scenarios/gate.ts'

const CAP = 10
const FLOOD = 1_000
const TRIES = 20
const MOST_MS = 100

/** How long executions of tenant B wait on a node on which tenant A runs endless ones up to its cap, with a thousand waiting. */
async function waitsOf(slots: number): Promise<number[]> {
  const database = await createDatabase('stock')
  const end = new Gate()
  const started = new Map<number, () => void>()
  const endless = job('endless', { run: () => end.opened })
  const quick = job('quick', { run: (turn: number) => started.get(turn)?.() })
  const app = pontual({
    store: postgres(database.url),
    jobs: [endless, quick],
    node: { slots },
    tenantConcurrency: CAP,
    logger: 'silent',
  })
  try {
    await app.start()
    await app.setTenant('b', { concurrency: CAP })
    await app.enqueueMany(
      endless,
      Array.from({ length: FLOOD }, () => undefined),
      { tenant: 'a' },
    )
    while ((await app.counts()).RUNNING < Math.min(CAP, slots - 1)) await sleep(20)
    const waits: number[] = []
    for (let turn = 0; turn < TRIES; turn += 1) {
      const begun = new Promise<void>((resolve) => started.set(turn, resolve))
      const askedAt = performance.now()
      await app.enqueue(quick, turn, { tenant: 'b' })
      await begun
      waits.push(performance.now() - askedAt)
      await sleep(30)
    }
    return waits.toSorted((a, b) => a - b)
  } finally {
    end.open()
    await app.stop()
    await database.drop()
  }
}

describe.skipIf(isPostgresSkipped('stock'))('behind a tenant that has all its cap allows', () => {
  it.each([
    ['as many slots as the cap', CAP],
    ['the slots of a service', serviceSlots(CAP)],
  ])('another starts within 100 ms on a node with %s', async (_name, slots) => {
    const waits = await waitsOf(slots)
    // One of twenty may meet a machine that is busy otherwise.
    expect(waits[TRIES - 2]).toBeLessThan(MOST_MS)
  })
})
