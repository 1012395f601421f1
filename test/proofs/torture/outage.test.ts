import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { job, type Pontual, type PontualOptions, pontual } from '../../../src/index.ts'
import { postgres } from '../../../src/postgres.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'
import { openWire } from './place/wire.ts'
import type { Wire } from './stage.ts'

const LEASE_MS = 2_000
const TIMING = { staleThreshold: LEASE_MS, renewalInterval: 400, staleCheckInterval: 500, pollInterval: 200 }
/** "Within seconds of its return." */
const RETURN_MS = 8_000

const slow = job('slow', { run: (ms: number) => sleep(ms) })
const quick = job('quick', { run: () => 'done' })

describe.skipIf(isPostgresSkipped())('a store that is away', () => {
  let database: TestDatabase
  let client: Pontual

  beforeAll(async () => {
    database = await createDatabase()
    client = pontual({ store: postgres(database.url), logger: 'silent' })
  })
  afterAll(async () => {
    await client.stop()
    await database.drop()
  })

  const nodeBehind = (wire: Wire, options: Partial<PontualOptions> = {}) =>
    pontual({
      store: postgres(wire.url, { deadline: 1_000 }),
      jobs: [slow, quick],
      logger: 'silent',
      shutdownGrace: 100,
      ...TIMING,
      ...options,
    })

  it.each(['stalled', 'gone'] as const)(
    'that is %s for longer than a lease costs no work, and the node goes on soon after its return',
    async (mode) => {
      await using wire = await openWire(database.url)
      await using node = nodeBehind(wire)
      await node.start()
      const running = await client.enqueue(slow, LEASE_MS + 1_000)
      while ((await client.execution(running.id))?.status !== 'RUNNING') await sleep(20)

      wire.set(mode)
      await sleep(LEASE_MS * 2)
      const waiting = await client.enqueue(quick)
      expect((await node.health()).status).toBe('unhealthy')
      wire.set('open')

      const backAt = Date.now()
      const [first, second] = await Promise.all([client.waitFor(running.id), client.waitFor(waiting.id)])
      expect(Date.now() - backAt).toBeLessThan(RETURN_MS)
      expect(second.status).toBe('SUCCESS')
      // Nobody took it meanwhile, so that its own node recorded it: once, and without a second attempt.
      expect(first.attempts.map(({ status }) => status)).toEqual(['SUCCESS'])
      expect((await node.health()).status).toBe('healthy')
    },
  )

  it('work starts within the poll interval where notifications do not come', async () => {
    await using wire = await openWire(database.url)
    await using node = nodeBehind(wire)
    await node.start()
    // The listener's connection is the one that stays silent; with all of them stalled for a moment it has to be found out and replaced.
    wire.set('stalled')
    await sleep(1_500)
    wire.set('open')
    await client.waitFor((await client.enqueue(quick)).id)
    const startedAt = Date.now()
    await client.waitFor((await client.enqueue(quick)).id)
    expect(Date.now() - startedAt).toBeLessThan(TIMING.pollInterval + 1_000)
  })

  it('an enqueue that cannot reach the store fails clearly, and one that can is kept', async () => {
    await using wire = await openWire(database.url)
    await using producer = nodeBehind(wire, { patience: '1s' })
    await producer.enqueue(quick)
    wire.set('gone')
    await expect(producer.enqueue(quick)).rejects.toMatchObject({ name: 'StoreUnavailableError' })
    wire.set('open')
    const { id } = await producer.enqueue(quick)
    expect(await client.execution(id)).toMatchObject({ status: 'QUEUED' })
  })
})
