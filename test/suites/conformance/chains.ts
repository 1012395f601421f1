import { describe, expect, it } from 'vitest'
import type { ChainCondition, ExecutionStatus, FinalStatus } from '../../../src/job/execution/execution.ts'
import { UnknownPredecessorError } from '../../../src/store/executions.ts'
import { IdempotencyError } from '../../../src/store/idempotency.ts'
import type { ClaimedExecution } from '../../../src/store/leases.ts'
import { type Bench, failure, LEASE_MS, MINUTE, success } from './bench.ts'

const ABSENT = '00000000-0000-7000-8000-000000000000'

export function describeChains(bench: Bench): void {
  async function statusOf(id: string): Promise<ExecutionStatus | 'GONE'> {
    return (await bench.store.executions.find([id]))[0]?.status ?? 'GONE'
  }

  async function statusesOf(...ids: readonly string[]): Promise<(ExecutionStatus | 'GONE')[]> {
    return await Promise.all(ids.map(statusOf))
  }

  /** One behind others. */
  async function behind(...after: readonly (string | [string, ChainCondition])[]): Promise<string> {
    return await bench.enqueue({
      after: after.map((each) =>
        typeof each === 'string' ? { id: each, on: 'success' } : { id: each[0], on: each[1] },
      ),
    })
  }

  async function end(held: ClaimedExecution, status: FinalStatus, output: string | null = null): Promise<void> {
    if (status === 'CANCELLED') {
      expect(await bench.store.executions.cancel([{ id: held.executionId, reason: null }])).toEqual(['cancelled'])
      return
    }
    const error = status === 'SUCCESS' ? null : failure
    expect(await bench.store.leases.finish([success(held, { status, output, error })])).toEqual([held.executionId])
  }

  describe('an execution behind another', () => {
    it('waits, and says for whom', async () => {
      const first = await bench.running()
      const id = await behind(first.executionId)
      expect(await bench.find(id)).toMatchObject({
        status: 'WAITING',
        dueAt: null,
        attempt: 0,
        after: [{ id: first.executionId, on: 'success' }],
      })
      expect((await bench.find(first.executionId)).after).toEqual([])
      expect(await bench.store.executions.count()).toEqual({ QUEUED: 0, WAITING: 1, RUNNING: 1, DIVERGED: 0 })
      expect(await bench.store.pulse()).toMatchObject({ nextDueAt: null, hasReady: false })
      expect(await bench.claim(first.nodeId)).toEqual([])
      bench.advance(1_000 * MINUTE)
      expect(await bench.store.leases.promote(10)).toBe(0)
      expect(await statusOf(id)).toBe('WAITING')
    })

    it('is listed as WAITING, and not as QUEUED', async () => {
      const first = await bench.enqueue()
      const id = await behind(first)
      const ids = async (...statuses: ExecutionStatus[]) =>
        (await bench.store.executions.list({ statuses, limit: 9 })).map((each) => each.id)
      expect(await ids('WAITING')).toEqual([id])
      expect(await ids('QUEUED')).toEqual([first])
      expect(await ids('QUEUED', 'WAITING')).toEqual([id, first])
      expect(await ids('RUNNING', 'SUCCESS')).toEqual([])
    })

    const ends: [ChainCondition, FinalStatus, ExecutionStatus][] = [
      ['success', 'SUCCESS', 'QUEUED'],
      ['success', 'FAILED', 'CANCELLED'],
      ['success', 'TIMEOUT', 'CANCELLED'],
      ['success', 'CANCELLED', 'CANCELLED'],
      ['failure', 'SUCCESS', 'CANCELLED'],
      ['failure', 'FAILED', 'QUEUED'],
      ['failure', 'TIMEOUT', 'QUEUED'],
      ['failure', 'CANCELLED', 'CANCELLED'],
      ['end', 'SUCCESS', 'QUEUED'],
      ['end', 'FAILED', 'QUEUED'],
      ['end', 'TIMEOUT', 'QUEUED'],
      ['end', 'CANCELLED', 'QUEUED'],
    ]

    it.each(ends)('on %s, after %s, is %s', async (on, status, expected) => {
      const held = await bench.running()
      const before = await behind([held.executionId, on])
      const declared = await bench.enqueue({ after: [{ id: held.executionId, on }], isDeclared: true })
      bench.advance(1_000)
      await end(held, status)
      const after = await behind([held.executionId, on])
      const late = await bench.enqueue({ after: [{ id: held.executionId, on }], isDeclared: true })
      expect(await statusesOf(before, after)).toEqual([expected, expected])
      expect(await statusesOf(declared, late)).toEqual(Array(2).fill(expected === 'QUEUED' ? 'QUEUED' : 'GONE'))
      expect(await bench.store.pulse()).toMatchObject({ hasReady: expected === 'QUEUED', nextDueAt: null })
      if (expected === 'QUEUED') return
      expect(await bench.find(before)).toMatchObject({
        attempt: 0,
        epoch: 0,
        nodeId: null,
        startedAt: null,
        finishedAt: bench.now,
        attempts: [],
        error: {
          name: 'NotNeededError',
          code: 'execution.not_needed',
          message: `Execution "${held.executionId}" ended as ${status}; this one was to run after its ${on}.`,
        },
      })
    })

    it('is claimed once it is free, as any other', async () => {
      const held = await bench.running()
      const id = await behind(held.executionId)
      await end(held, 'SUCCESS')
      const [claimed] = await bench.claim(held.nodeId)
      expect(claimed).toMatchObject({ executionId: id, attempt: 1, epoch: 1 })
    })

    it('does not run while the one before it waits for a retry', async () => {
      const held = await bench.running()
      const id = await behind([held.executionId, 'failure'])
      await bench.store.leases.retry([{ ...held, status: 'FAILED', error: failure, delayMs: 5 }])
      expect(await statusOf(id)).toBe('WAITING')
      bench.advance(5)
      expect(await bench.store.leases.promote(9)).toBe(1)
      const again = await bench.claimOne(held.nodeId)
      await end(again, 'FAILED')
      expect(await statusOf(id)).toBe('QUEUED')
    })

    it('is moved on where the node of the one before it is lost for good', async () => {
      const held = await bench.running({ maxAttempts: 1 })
      const failed = await behind([held.executionId, 'failure'])
      const succeeded = await behind([held.executionId, 'success'])
      bench.advance(LEASE_MS + 1)
      const [recovered] = await bench.store.leases.recover({ silentForMs: null, limit: 9 })
      expect(recovered).toMatchObject({ executionId: held.executionId, hasEnded: true })
      expect(recovered).not.toHaveProperty('freed')
      expect(await statusesOf(failed, succeeded)).toEqual(['QUEUED', 'CANCELLED'])
    })

    it('is moved on where the occurrence before it is consolidated', async () => {
      const job = bench.job({ nextFireAt: bench.now })
      await bench.put(job)
      const firing = bench.firing(job)
      await bench.store.occurrences.fire([firing])
      const body = firing.fired[0]!.body
      const id = await behind([body.id, 'end'])
      const change = { executionId: body.id, jobId: job.id, scheduledAt: bench.now, epoch: null }
      const skipped = { ...change, decision: 'skipped', cause: 'overload' } as const
      expect(await bench.store.occurrences.consolidate([skipped])).toEqual([body.id])
      expect(await statusesOf(body.id, id)).toEqual(['CANCELLED', 'QUEUED'])
    })

    it('is moved on where the job of the one before it is removed', async () => {
      const job = bench.job()
      await bench.put(job)
      const first = await bench.enqueue({ jobId: job.id })
      const [ended, succeeded] = [await behind([first, 'end']), await behind([first, 'success'])]
      expect(await bench.store.jobs.remove([job.id])).toBe(1)
      expect(await statusesOf(first, ended, succeeded)).toEqual(['GONE', 'QUEUED', 'CANCELLED'])
      expect(await bench.store.executions.predecessors(ended)).toEqual([
        { executionId: first, jobType: null, status: 'CANCELLED', output: null, error: null },
      ])
    })

    it('goes with its own job', async () => {
      const job = bench.job()
      await bench.put(job)
      const first = await bench.enqueue({ jobId: job.id })
      const id = await bench.enqueue({ jobId: job.id, after: [{ id: first, on: 'end' }] })
      await bench.store.jobs.remove([job.id])
      expect(await statusesOf(first, id)).toEqual(['GONE', 'GONE'])
      expect(await bench.store.executions.count()).toEqual({ QUEUED: 0, WAITING: 0, RUNNING: 0, DIVERGED: 0 })
    })

    it('can be cancelled while it waits', async () => {
      const held = await bench.running()
      const id = await behind(held.executionId)
      expect(await bench.store.executions.cancel([{ id, reason: 'No.' }])).toEqual(['cancelled'])
      await end(held, 'SUCCESS')
      expect(await bench.find(id)).toMatchObject({ status: 'CANCELLED', error: { message: 'No.' } })
    })

    it('is not disturbed by a lease that is not held any more', async () => {
      const held = await bench.running()
      const id = await behind(held.executionId)
      expect(await bench.store.leases.finish([success({ ...held, epoch: 7 })])).toEqual([])
      expect(await statusOf(id)).toBe('WAITING')
    })
  })

  describe('many', () => {
    it('run after one', async () => {
      const held = await bench.running()
      const ids = await Promise.all([1, 2, 3].map(() => behind(held.executionId)))
      await end(held, 'SUCCESS')
      expect(await statusesOf(...ids)).toEqual(['QUEUED', 'QUEUED', 'QUEUED'])
    })

    it('are waited for by one, which is told how each ended', async () => {
      const [a, b, c] = [await bench.running(), await bench.running(), await bench.running()]
      const id = await behind(a.executionId, [b.executionId, 'failure'], [c.executionId, 'end'])
      await end(c, 'CANCELLED')
      await end(a, 'SUCCESS', '{"a":1}')
      expect(await statusOf(id)).toBe('WAITING')
      expect(await bench.store.executions.predecessors(id)).toMatchObject([
        { executionId: a.executionId, status: 'SUCCESS' },
        { executionId: c.executionId, status: 'CANCELLED' },
      ])
      await end(b, 'TIMEOUT')
      expect(await statusOf(id)).toBe('QUEUED')
      expect(await bench.store.executions.predecessors(id)).toEqual([
        { executionId: a.executionId, jobType: 'import', status: 'SUCCESS', output: '{"a":1}', error: null },
        { executionId: b.executionId, jobType: 'import', status: 'TIMEOUT', output: null, error: failure },
        {
          executionId: c.executionId,
          jobType: 'import',
          status: 'CANCELLED',
          output: null,
          error: { name: 'CancelledError', code: 'execution.cancelled', message: 'Cancelled.' },
        },
      ])
    })

    it('that end together free one', async () => {
      const nodeId = await bench.node()
      const ids = [await bench.enqueue(), await bench.enqueue(), await bench.enqueue()]
      const id = await behind(...ids)
      const held = await bench.claim(nodeId)
      await bench.store.leases.finish(held.map((each) => success(each)))
      expect(await statusOf(id)).toBe('QUEUED')
    })

    it('that fail together end one, for the first of them', async () => {
      const nodeId = await bench.node()
      const ids = [await bench.enqueue(), await bench.enqueue()]
      const id = await behind(...ids)
      const held = await bench.claim(nodeId)
      await bench.store.leases.finish(
        held.map((each) => success(each, { status: 'FAILED', error: failure })).toReversed(),
      )
      expect((await bench.find(id)).error?.message).toContain(ids[0])
    })

    it('are no longer waited for once one has ended otherwise', async () => {
      const [a, b] = [await bench.running(), await bench.running()]
      const id = await behind(a.executionId, b.executionId)
      await end(a, 'FAILED')
      expect(await statusOf(id)).toBe('CANCELLED')
      const finishedAt = bench.now
      bench.advance(1_000)
      await end(b, 'SUCCESS')
      expect(await bench.find(id)).toMatchObject({ status: 'CANCELLED', finishedAt })
    })

    it('of which some have ended before', async () => {
      const [a, b] = [await bench.running(), await bench.running()]
      await end(a, 'SUCCESS', '1')
      const id = await behind(a.executionId, b.executionId)
      expect(await statusOf(id)).toBe('WAITING')
      await end(b, 'SUCCESS', '2')
      expect(await statusOf(id)).toBe('QUEUED')
      expect((await bench.store.executions.predecessors(id)).map(({ output }) => output)).toEqual(['1', '2'])
    })
  })

  describe('an end', () => {
    it('goes down the chain: to those who wait for success, and on from there', async () => {
      const held = await bench.running()
      const second = await behind(held.executionId)
      const third = await behind(second)
      const [fourth, cleanUp] = [await behind(third), await behind([third, 'end'])]
      const alarm = await behind([second, 'failure'])
      await end(held, 'FAILED')
      expect(await statusesOf(second, third, fourth, alarm)).toEqual(Array(4).fill('CANCELLED'))
      expect(await statusOf(cleanUp)).toBe('QUEUED')
      expect((await bench.find(third)).error?.message).toContain(second)
    })

    it('by a cancellation in the middle goes down too', async () => {
      const first = await bench.enqueue()
      const second = await behind(first)
      const third = await behind(second)
      expect(await bench.store.executions.cancel([{ id: second, reason: null }])).toEqual(['cancelled'])
      expect(await statusesOf(first, second, third)).toEqual(['QUEUED', 'CANCELLED', 'CANCELLED'])
    })

    it('of all of a chain at once is everyone’s own', async () => {
      const first = await bench.enqueue()
      const second = await behind(first)
      const third = await behind([second, 'end'])
      const requests = [third, second, first].map((id) => ({ id, reason: 'All.' }))
      expect(await bench.store.executions.cancel(requests)).toEqual(['cancelled', 'cancelled', 'cancelled'])
      expect(await statusesOf(first, second, third)).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED'])
      expect((await bench.find(third)).error?.message).toBe('All.')
    })

    it('of a declared one that is not needed is one for those behind it', async () => {
      const held = await bench.running()
      const declared = await bench.enqueue({ after: [{ id: held.executionId, on: 'success' }], isDeclared: true })
      const [ended, succeeded] = [await behind([declared, 'end']), await behind(declared)]
      await end(held, 'FAILED')
      expect(await statusesOf(declared, ended, succeeded)).toEqual(['GONE', 'QUEUED', 'CANCELLED'])
    })
  })

  describe('a batch', () => {
    it('holds a chain, stored as a whole', async () => {
      const first = bench.execution({ payload: '1' })
      const left = bench.execution({ after: [{ id: first.body.id, on: 'success' }] })
      const right = bench.execution({ after: [{ id: first.body.id, on: 'success' }] })
      const last = bench.execution({
        after: [left, right].map(({ body }) => ({ id: body.id, on: 'success' }) as const),
      })
      const all = [first, left, right, last]
      const answers = await bench.store.executions.enqueue(all)
      expect(answers).toEqual(all.map(({ body }) => ({ id: body.id, isNew: true, payload: null })))
      const nodeId = await bench.node()
      const rounds: string[][] = []
      for (let round = 0; round < 4; round++) {
        const held = await bench.claim(nodeId)
        rounds.push(held.map(({ executionId }) => executionId))
        await bench.store.leases.finish(held.map((each) => success(each)))
      }
      expect(rounds).toEqual([[first.body.id], [left.body.id, right.body.id], [last.body.id], []])
    })

    it('that is sent twice is stored once', async () => {
      const first = bench.execution()
      const second = bench.execution({ after: [{ id: first.body.id, on: 'success' }] })
      await bench.store.executions.enqueue([first, second])
      const answers = await bench.store.executions.enqueue([first, second])
      expect(answers.map(({ isNew }) => isNew)).toEqual([false, false])
      expect((await bench.find(second.body.id)).after).toHaveLength(1)
      const held = await bench.claimOne(await bench.node())
      await end(held, 'SUCCESS')
      expect(await statusOf(second.body.id)).toBe('QUEUED')
    })

    it('goes on behind who has the key of one of its own', async () => {
      const held = await bench.running({ idempotencyKey: 'once', payload: '1' })
      const first = bench.execution({ idempotencyKey: 'once', payload: '1' })
      const second = bench.execution({ after: [{ id: first.body.id, on: 'success' }] })
      const answers = await bench.store.executions.enqueue([first, second])
      expect(answers.map(({ id, isNew }) => [id, isNew])).toEqual([
        [held.executionId, false],
        [second.body.id, true],
      ])
      expect((await bench.find(second.body.id)).after).toEqual([{ id: held.executionId, on: 'success' }])
      await end(held, 'SUCCESS')
      expect(await statusOf(second.body.id)).toBe('QUEUED')
    })

    it('gives one whose key is taken nobody to wait for', async () => {
      const held = await bench.running({ idempotencyKey: 'taken' })
      const other = await bench.enqueue()
      const answer = await bench.store.executions.enqueue([
        bench.execution({ idempotencyKey: 'taken', after: [{ id: other, on: 'success' }] }),
      ])
      expect(answer).toMatchObject([{ id: held.executionId, isNew: false }])
      expect((await bench.find(held.executionId)).after).toEqual([])
    })

    it('with a key that was used with another input is refused, and nothing of it is stored', async () => {
      const holder = bench.execution({ idempotencyKey: 'once', payload: '{"a":1}' })
      await bench.store.executions.enqueue([holder])
      const first = bench.execution({ idempotencyKey: 'free' })
      const after = [{ id: first.body.id, on: 'success' }] as const
      const second = bench.execution({ idempotencyKey: 'once', payload: '{"a":2}', after })
      const refused = bench.store.executions.enqueue([first, second])
      await expect(refused).rejects.toThrow(IdempotencyError)
      await expect(refused).rejects.toMatchObject({ details: { key: 'once', executionId: holder.body.id } })
      expect((await bench.store.executions.list({ limit: 9 })).map(({ id }) => id)).toEqual([holder.body.id])
      expect(await bench.store.executions.enqueue([first])).toMatchObject([{ isNew: true }])
    })

    it('with one key for two inputs is refused, and nothing of it is stored', async () => {
      const first = bench.execution({ idempotencyKey: 'once', payload: '1' })
      const after = [{ id: first.body.id, on: 'success' }] as const
      const second = bench.execution({ idempotencyKey: 'once', payload: '2', after })
      await expect(bench.store.executions.enqueue([first, second])).rejects.toThrow(IdempotencyError)
      expect(await bench.store.executions.list({ limit: 9 })).toEqual([])
    })

    it('with a predecessor that nobody knows is refused, and nothing of it is stored', async () => {
      const known = bench.execution({ idempotencyKey: 'k' })
      const lost = bench.execution({ after: [{ id: ABSENT, on: 'end' }] })
      await expect(bench.store.executions.enqueue([known, lost])).rejects.toThrow(UnknownPredecessorError)
      expect(await bench.store.executions.list({ limit: 9 })).toEqual([])
      expect(await bench.store.executions.enqueue([known])).toMatchObject([{ isNew: true }])
    })

    it('is refused where one stands behind itself, behind a later one, or behind another tenant’s', async () => {
      const first = bench.execution()
      const second = bench.execution()
      const foreign = await bench.enqueue({ tenant: 'other' })
      const batches = [
        [{ ...first, after: [{ id: first.body.id, on: 'end' } as const] }],
        [{ ...first, after: [{ id: second.body.id, on: 'end' } as const] }, second],
        [{ ...first, after: [{ id: foreign, on: 'end' } as const] }],
      ]
      for (const batch of batches) {
        await expect(bench.store.executions.enqueue(batch)).rejects.toThrow(UnknownPredecessorError)
      }
      expect(await bench.store.executions.list({ limit: 9, tenant: 'acme' })).toEqual([])
    })
  })

  describe('purge', () => {
    it('keeps a result until those behind it have ended', async () => {
      const held = await bench.running()
      const id = await behind(held.executionId)
      await end(held, 'SUCCESS', '"kept"')
      bench.advance(1_000)
      expect(await bench.store.executions.purge(bench.now, 9)).toBe(0)
      const next = await bench.claimOne(held.nodeId)
      expect(await bench.store.executions.predecessors(id)).toMatchObject([{ output: '"kept"' }])
      await end(next, 'SUCCESS')
      bench.advance(1_000)
      expect(await bench.store.executions.purge(bench.now, 9)).toBe(2)
      expect(await bench.store.executions.list({ limit: 9 })).toEqual([])
    })

    it('of the first leaves the second, which still names it', async () => {
      const held = await bench.running()
      const id = await behind(held.executionId)
      await end(held, 'SUCCESS')
      bench.advance(1_000)
      const next = await bench.claimOne(held.nodeId)
      await end(next, 'SUCCESS')
      expect(await bench.store.executions.purge(bench.now, 9)).toBe(1)
      expect((await bench.find(id)).after).toEqual([{ id: held.executionId, on: 'success' }])
      expect(await bench.store.executions.chain(id, 9)).toEqual({
        executions: [{ id, jobType: 'import', status: 'SUCCESS' }],
        links: [],
      })
    })
  })

  describe('chain', () => {
    it('tells all that hangs together, from wherever it is asked', async () => {
      const first = await bench.enqueue()
      const [left, right] = [await behind(first), await behind([first, 'failure'])]
      const last = await behind([left, 'end'], [right, 'end'])
      await bench.enqueue()
      const expected = {
        executions: [first, left, right, last].map((id) => ({
          id,
          jobType: 'import',
          status: id === first ? 'QUEUED' : 'WAITING',
        })),
        links: [
          { from: first, to: left, on: 'success' },
          { from: first, to: right, on: 'failure' },
          { from: left, to: last, on: 'end' },
          { from: right, to: last, on: 'end' },
        ],
      }
      for (const id of [first, left, right, last]) {
        expect(await bench.store.executions.chain(id, 100)).toEqual(expected)
      }
    })

    it('tells of one that stands alone, of none, and of no more than asked for', async () => {
      const alone = await bench.enqueue()
      expect(await bench.store.executions.chain(alone, 9)).toEqual({
        executions: [{ id: alone, jobType: 'import', status: 'QUEUED' }],
        links: [],
      })
      expect(await bench.store.executions.chain(ABSENT, 9)).toBeNull()
      let last = alone
      for (let n = 0; n < 5; n++) last = await behind(last)
      const some = await bench.store.executions.chain(last, 3)
      expect(some?.executions).toHaveLength(3)
      expect(some?.links).toHaveLength(2)
    })
  })

  it('a thousand are waited for by one, and one by a thousand', async () => {
    const wide = Array.from({ length: 1_000 }, () => bench.execution())
    const ids = wide.map(({ body }) => body.id)
    const last = bench.execution({ after: ids.map((id) => ({ id, on: 'success' }) as const) })
    const fans = Array.from({ length: 1_000 }, () => bench.execution({ after: [{ id: last.body.id, on: 'success' }] }))
    await bench.store.executions.enqueue([...wide, last, ...fans])
    const nodeId = await bench.node()
    const held = await bench.claim(nodeId, { limit: 1_000 })
    expect(held).toHaveLength(1_000)
    for (let from = 0; from < 1_000; from += 250) {
      expect(await statusOf(last.body.id)).toBe('WAITING')
      await bench.store.leases.finish(held.slice(from, from + 250).map((each) => success(each)))
    }
    const next = await bench.claimOne(nodeId)
    expect(next.executionId).toBe(last.body.id)
    expect(await bench.store.executions.predecessors(last.body.id)).toHaveLength(1_000)
    await end(next, 'SUCCESS')
    expect(await bench.store.executions.count()).toEqual({ QUEUED: 1_000, WAITING: 0, RUNNING: 0, DIVERGED: 0 })
  })
}
