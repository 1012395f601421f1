import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ExecutionView, type Pontual, pontual } from '../../../src/index.ts'
import { postgres } from '../../../src/postgres.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'
import { NodeInProcess } from './node-in-process.ts'

const LEASE_MS = 2_000
const CHECK_MS = 500
/** What the machine may add to it: it is shared, and processes start slowly on it. */
const SLACK_MS = 5_000
const TIMING = { staleThreshold: LEASE_MS, renewalInterval: 400, staleCheckInterval: CHECK_MS, pollInterval: 200 }

describe.skipIf(isPostgresSkipped())('two processes on one PostgreSQL', () => {
  let database: TestDatabase
  let app: Pontual

  beforeAll(async () => {
    database = await createDatabase()
    app = pontual({ store: postgres(database.url), logger: 'silent' })
  })
  afterAll(async () => {
    await app.stop()
    await database.drop()
  })

  const startNode = (name: string, slots: number) =>
    new NodeInProcess({ url: database.url, node: { name, slots }, ...TIMING })

  const finished = async (ids: readonly string[]): Promise<ExecutionView[]> =>
    await Promise.all(ids.map((id) => app.waitFor(id)))

  it('a node that is killed loses nothing, nothing ends twice, and another takes over in time', async () => {
    // Both are there before there is work: however slowly a process starts, the other has not done everything by then.
    await using killed = startNode('killed', 5)
    await using survivor = startNode('survivor', 5)
    await Promise.all([killed, survivor].map((node) => node.until((each) => each.of('ready').length > 0)))
    const enqueued = await app.enqueueMany(
      'work',
      Array.from({ length: 60 }, () => ({ ms: 250 })),
    )
    const ids = enqueued.map(({ id }) => id)
    await killed.until((node) => node.of('handler.ended').length >= 5 && node.of('handler.started').length >= 8)
    await survivor.until((node) => node.of('handler.started').length >= 3)
    killed.signal('SIGKILL')
    const killedAt = Date.now()
    await killed.ended
    const executions = await finished(ids)

    expect(executions.filter(({ status }) => status !== 'SUCCESS')).toEqual([])
    const lost = executions.filter(({ attempts }) => attempts.some(({ status }) => status === 'LOST'))
    expect(lost.length).toBeGreaterThan(0)
    for (const { attempts } of executions) {
      expect(attempts.filter(({ status }) => status === 'SUCCESS')).toHaveLength(1)
    }
    // Taken off the dead node's hands no later than a lease and a check after its death; then they queue behind others.
    const recoveredAt = Math.max(...survivor.of('execution.recovered').map(({ at }) => at))
    expect(survivor.of('execution.recovered')).toHaveLength(lost.length)
    expect(recoveredAt - killedAt).toBeLessThan(LEASE_MS + CHECK_MS + SLACK_MS)
    const ended = [...killed.of('execution.succeeded'), ...survivor.of('execution.succeeded')]
    expect(new Set(ended.map(({ executionId }) => executionId)).size).toBe(ended.length)
  })

  it('a node that is stopped past its lease and continued records nothing of what it held', async () => {
    const enqueued = await app.enqueueMany(
      'work',
      Array.from({ length: 6 }, () => ({ ms: 1_000 })),
    )
    const ids = enqueued.map(({ id }) => id)
    await using frozen = startNode('frozen', 3)
    await frozen.until((node) => node.of('handler.started').length === 3)
    frozen.signal('SIGSTOP')
    const held = frozen.of('handler.started').map(({ executionId }) => executionId ?? '')
    await using other = startNode('other', 10)
    await other.until((node) => node.of('execution.recovered').length === 3)
    await finished(ids)
    frozen.signal('SIGCONT')
    // It learns that it was taken off the list, ends what it ran, and comes back under another id.
    await frozen.until((node) => node.of('node.lost').length === 1 && node.of('node.started').length === 2)
    const after = await app.enqueue('work', { ms: 1 })
    await app.waitFor(after.id)

    for (const { attempts, status } of await finished(held)) {
      expect(status).toBe('SUCCESS')
      expect(attempts.map((attempt) => attempt.status)).toEqual(['LOST', 'SUCCESS'])
    }
    expect(frozen.of('execution.succeeded').filter(({ executionId }) => held.includes(executionId ?? ''))).toEqual([])
  })

  it('a handler that blocks the event loop for longer than the lease keeps its work', async () => {
    const { id } = await app.enqueue('block', { ms: LEASE_MS * 2 })
    await using blocked = startNode('blocked', 2)
    await using other = startNode('other', 2)
    await Promise.all([blocked, other].map((node) => node.until((each) => each.of('ready').length === 1)))
    const execution = await app.waitFor(id)
    expect(execution.attempts.map(({ status }) => status)).toEqual(['SUCCESS'])
    expect([...blocked.of('execution.recovered'), ...other.of('execution.recovered')]).toEqual([])
  })

  it('a handler that blocks the event loop past its timeout loses its node, and another one goes on', async () => {
    const options = { timeout: 500, retry: { retries: 1, intervals: [0] } }
    const { id } = await app.enqueue('block', { ms: 60_000 }, options)
    await using blocked = startNode('blocked', 1)
    await blocked.until((node) => node.of('handler.started').length === 1)
    await using other = startNode('other', 1)
    const takenOver = other.until((node) => node.of('handler.started').some(({ attempt }) => attempt === 2))
    // Half a second of its own, five that a blocked loop is given, the lease, a look, and what the machine adds.
    await Promise.race([takenOver, sleep(500 + 5_000 + LEASE_MS + CHECK_MS + 2 * SLACK_MS)])
    const execution = await app.execution(id)
    expect(execution?.attempts.map(({ status }) => status)).toEqual(['LOST', 'RUNNING'])
  })

  it('a job that kills its process does so as often as it has attempts, and no more', async () => {
    const { id } = await app.enqueue('die', undefined, { retry: { retries: 2, intervals: [0] } })
    let deaths = 0
    for (;;) {
      await using node = startNode('victim', 1)
      const died = await Promise.race([node.ended.then(() => true), hasEnded(id).then(() => false)])
      if (!died) break
      deaths += 1
    }
    expect(deaths).toBe(3)
    const execution = await app.waitFor(id)
    expect(execution).toMatchObject({ status: 'FAILED', attempt: 3, error: { code: 'execution.node_lost' } })
  })

  it('a deploy loses nothing: work is finished or handed back unspent', async () => {
    const enqueued = await app.enqueueMany(
      'work',
      Array.from({ length: 40 }, (_, n) => ({ ms: n % 4 === 0 ? 3_000 : 20 })),
    )
    for (let restart = 0; restart < 3; restart += 1) {
      await using node = new NodeInProcess({ url: database.url, node: { slots: 8 }, ...TIMING, shutdownGrace: 300 })
      await node.until((each) => each.of('handler.started').length >= 8)
      node.signal('SIGTERM')
      await node.ended
    }
    await using last = startNode('last', 20)
    await last.until((node) => node.of('ready').length === 1)
    const executions = await finished(enqueued.map(({ id }) => id))
    expect(executions.filter(({ status }) => status !== 'SUCCESS')).toEqual([])
    // Handed back, not lost: no attempt was spent on a restart.
    expect(executions.filter(({ attempt }) => attempt !== 1)).toEqual([])
  })

  async function hasEnded(id: string): Promise<void> {
    while ((await app.execution(id))?.finishedAt === null) await sleep(100)
  }
})
