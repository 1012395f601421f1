import pg from 'pg'
import { expect, it } from 'vitest'
import { IdempotencyError } from '../../../src/store/idempotency.ts'
import type { Bench } from './bench.ts'

/** What is enqueued within the caller's own transaction. */
export function describeTransactions(bench: Bench, url: () => string): void {
  async function inTransaction(end: 'commit' | 'rollback', work: (client: pg.Client) => Promise<void>): Promise<void> {
    const client = new pg.Client({ connectionString: url() })
    await client.connect()
    try {
      await client.query('begin')
      await work(client)
      await client.query(end)
    } finally {
      await client.end()
    }
  }

  it('is there once the caller commits, and not before', async () => {
    const execution = bench.execution({ queue: `new-${bench.uuid()}`, idempotencyKey: 'k' })
    await inTransaction('commit', async (transaction) => {
      const answers = await bench.store.executions.enqueue([execution], { transaction })
      expect(answers).toEqual([{ id: execution.body.id, isNew: true, payload: null }])
      expect(await bench.store.executions.find([execution.body.id])).toEqual([])
    })
    expect(await bench.find(execution.body.id)).toMatchObject({ ...execution.body, status: 'QUEUED' })
    const claimed = await bench.claim(await bench.node(), { queues: [execution.body.queue] })
    expect(claimed).toHaveLength(1)
  })

  it('is gone with a rollback, and its key is free; a queue that appeared with it can be used later', async () => {
    const queue = `new-${bench.uuid()}`
    const execution = bench.execution({ queue, idempotencyKey: 'k' })
    await inTransaction('rollback', async (transaction) => {
      await bench.store.executions.enqueue([execution], { transaction })
    })
    expect(await bench.store.executions.find([execution.body.id])).toEqual([])
    expect(await bench.claim(await bench.node(), { queues: [queue] })).toEqual([])
    const [answer] = await bench.store.executions.enqueue([bench.execution({ queue, idempotencyKey: 'k' })])
    expect(answer?.isNew).toBe(true)
    expect(await bench.claim(await bench.node(), { queues: [queue] })).toHaveLength(1)
  })

  it('a chain with a key that was used with another input is refused, and what else the caller commits is there', async () => {
    await bench.enqueue({ idempotencyKey: 'once', payload: '1' })
    const other = bench.execution()
    const first = bench.execution({ idempotencyKey: 'free' })
    const after = [{ id: first.body.id, on: 'success' }] as const
    const second = bench.execution({ idempotencyKey: 'once', payload: '2', after })
    const third = bench.execution({ after })
    await inTransaction('commit', async (transaction) => {
      await bench.store.executions.enqueue([other], { transaction })
      const refused = bench.store.executions.enqueue([first, second, third], { transaction })
      await expect(refused).rejects.toThrow(IdempotencyError)
    })
    const found = await bench.store.executions.find([other, first, second, third].map(({ body }) => body.id))
    expect(found.map(({ id }) => id)).toEqual([other.body.id])
    expect(await bench.store.executions.enqueue([first])).toMatchObject([{ isNew: true }])
  })

  it('a transaction that stays open blocks nobody else', async () => {
    const queue = `new-${bench.uuid()}`
    await inTransaction('commit', async (transaction) => {
      await bench.store.executions.enqueue([bench.execution({ queue })], { transaction })
      await bench.enqueue({ queue: 'default' })
      expect(await bench.claim(await bench.node())).toHaveLength(1)
    })
    expect(await bench.claim(await bench.node(), { queues: [queue] })).toHaveLength(1)
  })
}
