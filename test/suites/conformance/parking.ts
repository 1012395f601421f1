import { describe, expect, it } from 'vitest'
import { type Bench, HOUR, MINUTE, success } from './bench.ts'
import {
  ABSENT,
  begun,
  heldOf,
  item,
  lostAndTaken,
  MISMATCH,
  NO_PROGRESS,
  run,
  running,
  settled,
  taken,
} from './durable-entries.ts'

const NONE = { QUEUED: 0, WAITING: 0, RUNNING: 0, DIVERGED: 0 }

/** How durable executions wait. */
export function describeParking(bench: Bench): void {
  describe('park', () => {
    it('a run that waits is WAITING until its instant, and its attempt is not spent', async () => {
      const held = await running(bench)
      const { histories, leases, executions } = bench.store
      const dueAt = bench.now + HOUR
      expect(await histories.park([{ ...heldOf(held), dueAt }])).toEqual(['parked'])
      expect(await bench.find(held.executionId)).toMatchObject({ status: 'WAITING', dueAt, attempt: 0, epoch: 1 })
      expect(await leases.held(held.nodeId)).toEqual([])
      expect(await executions.count()).toEqual({ ...NONE, WAITING: 1 })
      expect(await executions.list({ limit: 9, statuses: ['WAITING'] })).toMatchObject([{ id: held.executionId }])
      expect(await executions.list({ limit: 9, statuses: ['QUEUED', 'RUNNING', 'DIVERGED'] })).toEqual([])
      expect((await bench.store.pulse()).nextDueAt).toBe(dueAt)

      bench.advance(HOUR - 1)
      expect(await leases.promote(9)).toBe(0)
      bench.advance(1)
      expect(await leases.promote(9)).toBe(1)
      expect(await bench.find(held.executionId)).toMatchObject({ status: 'QUEUED', dueAt: null })
      expect(await taken(bench)).toMatchObject({ executionId: held.executionId, attempt: 1, epoch: 2 })
    })

    it('one without an instant waits for ever', async () => {
      const held = await running(bench)
      const { histories, leases } = bench.store
      expect(await histories.park([{ ...heldOf(held), dueAt: null }])).toEqual(['parked'])
      expect(await bench.find(held.executionId)).toMatchObject({ status: 'WAITING', dueAt: null })
      expect((await bench.store.pulse()).nextDueAt).toBeNull()
      bench.advance(400 * 24 * HOUR)
      expect(await leases.promote(9)).toBe(0)
    })

    it('one whose instant has passed meanwhile is due at once', async () => {
      const held = await running(bench)
      expect(await bench.store.histories.park([{ ...heldOf(held), dueAt: bench.now - 1 }])).toEqual(['parked'])
      expect(await bench.store.leases.promote(9)).toBe(1)
    })

    it('is answered with the news that have come, until somebody has asked for them', async () => {
      const held = await running(bench)
      const { histories } = bench.store
      await histories.wake([held.executionId])
      expect(await histories.park([{ ...heldOf(held), dueAt: null }])).toEqual(['news'])
      expect(await histories.park([{ ...heldOf(held), dueAt: null }])).toEqual(['news'])
      expect((await bench.find(held.executionId)).status).toBe('RUNNING')
      await histories.news([heldOf(held)])
      expect(await histories.park([{ ...heldOf(held), dueAt: null }])).toEqual(['parked'])
    })

    it('answers each in its place', async () => {
      const { histories } = bench.store
      await bench.store.executions.enqueue([run(bench), run(bench), run(bench)])
      const [one, two, three] = await bench.claim(await bench.node())
      await histories.wake([two!.executionId])
      const items = [{ executionId: ABSENT, epoch: 1 }, two!, { ...one!, epoch: 2 }, three!, one!]
      const answers = await histories.park(items.map((each) => ({ ...heldOf(each), dueAt: bench.now + MINUTE })))
      expect(answers).toEqual(['lost', 'news', 'lost', 'parked', 'parked'])
      expect(await histories.park([])).toEqual([])
    })

    it('whoever has let go of it can neither write nor end it', async () => {
      const held = await running(bench)
      const { histories, leases } = bench.store
      await histories.park([{ ...heldOf(held), dueAt: null }])
      expect(await histories.record([item(held, settled(1))])).toEqual(['refused'])
      expect(await leases.finish([success(held)])).toEqual([])
      expect(await leases.release([heldOf(held)])).toEqual([])
      expect(await histories.park([{ ...heldOf(held), dueAt: null }])).toEqual(['lost'])
    })

    it('a run that waits keeps its job busy', async () => {
      const job = bench.job()
      await bench.put(job)
      const held = await running(bench, { jobId: job.id })
      await bench.store.histories.park([{ ...heldOf(held), dueAt: null }])
      expect(await bench.store.occurrences.standing([job.id])).toMatchObject([{ jobId: job.id, isBusy: true }])
    })

    it('takes 1,000 at once, and they come back in the order of their instants', async () => {
      const { executions, histories, leases } = bench.store
      await executions.enqueue(Array.from({ length: 1_000 }, () => run(bench)))
      const held = await bench.claim(await bench.node(), { limit: 1_000 })
      const answers = await histories.park(
        held.map((each, index) => ({ ...heldOf(each), dueAt: bench.now + 1_000 - index })),
      )
      expect(new Set(answers)).toEqual(new Set(['parked']))
      bench.advance(10)
      expect(await leases.promote(9_999)).toBe(10)
      expect(await executions.count()).toEqual({ ...NONE, QUEUED: 10, WAITING: 990 })
    })
  })

  describe('wake', () => {
    it('makes a run that waits ready', async () => {
      const held = await running(bench)
      const { histories } = bench.store
      await histories.park([{ ...heldOf(held), dueAt: bench.now + HOUR }])
      await histories.wake([held.executionId, held.executionId, ABSENT])
      expect(await bench.find(held.executionId)).toMatchObject({ status: 'QUEUED', dueAt: null })
      expect(await taken(bench)).toMatchObject({ executionId: held.executionId, attempt: 1, epoch: 2 })
    })

    it('leaves alone what has not begun, what is not durable, and what has ended', async () => {
      const { histories, leases } = bench.store
      const nodeId = await bench.node()
      const plain = await bench.enqueue()
      const ended = await bench.enqueue({ options: { durable: true } })
      for (const each of await bench.claim(nodeId)) {
        if (each.executionId === ended) await leases.finish([success(each)])
      }
      const delayed = run(bench, { runAt: bench.now + HOUR })
      const ready = run(bench)
      await bench.store.executions.enqueue([delayed, ready])
      const ids = [plain, ended, delayed.body.id, ready.body.id]
      const before = await bench.store.executions.find(ids)
      await histories.wake(ids)
      expect(await bench.store.executions.find(ids)).toEqual(before)
      expect(await leases.held(nodeId)).toEqual([{ executionId: plain, epoch: 1, hasNews: false }])
      await histories.wake([])
    })

    it('what is claimed again begins without a mark', async () => {
      const held = await running(bench)
      const { histories, leases } = bench.store
      await histories.wake([held.executionId])
      await leases.release([heldOf(held)])
      const next = await taken(bench)
      expect(await leases.held(next.nodeId)).toEqual([{ ...heldOf(next), hasNews: false }])
    })
  })

  describe('goingOn', () => {
    const isGoingOn = async (held: { readonly executionId: string; readonly epoch: number }) =>
      (await bench.store.histories.goingOn([heldOf(held)])).length === 1

    it('tells those that had begun, however often they were let go of', async () => {
      const { histories, leases } = bench.store
      const held = await running(bench)
      expect(await isGoingOn(held)).toBe(false)
      await histories.record([item(held, begun(1))])
      expect(await isGoingOn(held)).toBe(false)
      await histories.park([{ ...heldOf(held), dueAt: bench.now }])
      await leases.promote(9)
      const woken = await taken(bench)
      expect(await isGoingOn(woken)).toBe(true)
      await leases.release([heldOf(woken)])
      expect(await isGoingOn(await taken(bench))).toBe(true)
      expect(await histories.goingOn([])).toEqual([])
    })

    it('not one that was given back before it began', async () => {
      const held = await running(bench)
      await bench.store.leases.release([heldOf(held)])
      expect(await isGoingOn(await taken(bench))).toBe(false)
    })

    it('not one whose node was lost, until it has begun again', async () => {
      const { histories, leases } = bench.store
      const held = await running(bench)
      await histories.record([item(held, settled(1))])
      const lost = await lostAndTaken(bench)
      expect(await isGoingOn(lost)).toBe(false)
      await leases.release([heldOf(lost)])
      const again = await taken(bench)
      expect(await isGoingOn(again)).toBe(false)
      await histories.load([heldOf(again)])
      await histories.park([{ ...heldOf(again), dueAt: bench.now }])
      await leases.promote(9)
      expect(await isGoingOn(await taken(bench))).toBe(true)
    })

    it('not one that begins with what another had done', async () => {
      const { histories, leases } = bench.store
      const held = await running(bench)
      await histories.record([item(held, settled(1))])
      await leases.finish([success(held)])
      await histories.fork(held.executionId, 2, run(bench))
      expect(await isGoingOn(await taken(bench))).toBe(false)
    })
  })

  describe('diverge', () => {
    it('parks a run as DIVERGED, with what is wrong', async () => {
      const held = await running(bench)
      const { histories, executions, leases } = bench.store
      expect(await histories.diverge([{ ...heldOf(held), divergence: MISMATCH }])).toEqual([held.executionId])
      expect(await bench.find(held.executionId)).toMatchObject({
        status: 'DIVERGED',
        dueAt: null,
        attempt: 0,
        error: { name: 'DivergedError', code: 'execution.diverged', message: MISMATCH.message },
        divergence: MISMATCH,
      })
      expect(await executions.count()).toEqual({ ...NONE, DIVERGED: 1 })
      expect(await executions.list({ limit: 9, statuses: ['DIVERGED'] })).toMatchObject([
        { id: held.executionId, divergence: MISMATCH },
      ])
      expect(await executions.list({ limit: 9, statuses: ['QUEUED', 'WAITING'] })).toEqual([])
      expect((await bench.store.pulse()).nextDueAt).toBeNull()
      bench.advance(400 * 24 * HOUR)
      expect(await leases.promote(9)).toBe(0)
      expect(await histories.record([item(held, settled(1))])).toEqual(['refused'])
    })

    it('refuses who does not hold the run', async () => {
      const held = await running(bench)
      const { histories } = bench.store
      expect(await histories.diverge([{ ...heldOf(held), epoch: 2, divergence: MISMATCH }])).toEqual([])
      expect((await bench.find(held.executionId)).status).toBe('RUNNING')
    })

    it('is not woken by what comes', async () => {
      const held = await running(bench)
      const { histories } = bench.store
      await histories.diverge([{ ...heldOf(held), divergence: MISMATCH }])
      await histories.wake([held.executionId])
      expect(
        await histories.signal([{ executionId: held.executionId, name: 'go', payload: null, idempotencyKey: null }]),
      ).toEqual(['sent'])
      expect((await bench.find(held.executionId)).status).toBe('DIVERGED')
    })
  })

  describe('resume', () => {
    it('by job type: those that diverged by mismatch, the oldest first, not more than asked for', async () => {
      const { histories, executions } = bench.store
      const runs = ['import', 'import', 'import', 'export'].map((jobType) => run(bench, { jobType }))
      await executions.enqueue(runs)
      const nodeId = await bench.node({ jobTypes: ['import', 'export'] })
      const held = await bench.claim(nodeId, { jobTypes: ['import', 'export'] })
      await histories.diverge(
        held.map((each) => ({
          ...heldOf(each),
          divergence: each.executionId === runs[1]!.body.id ? NO_PROGRESS : MISMATCH,
        })),
      )
      const [first, second, third, other] = runs.map(({ body }) => body.id)
      expect(await histories.resume({ jobTypes: ['import'], limit: 1 })).toEqual([first])
      expect(await histories.resume({ jobTypes: ['import'], limit: 9 })).toEqual([third])
      expect(await histories.resume({ jobTypes: [], limit: 9 })).toEqual([])
      expect(await histories.resume({ ids: [second!, ABSENT], limit: 9 })).toEqual([second])
      expect(await histories.resume({ ids: [second!], limit: 9 })).toEqual([])
      expect(await executions.count()).toEqual({ ...NONE, QUEUED: 3, DIVERGED: 1 })
      expect((await bench.find(other!)).status).toBe('DIVERGED')
      expect(await bench.find(first!)).toMatchObject({ error: null, divergence: null })
      expect(await taken(bench)).toMatchObject({ executionId: first, attempt: 1, epoch: 2 })
    })

    it('what was lost before it was quarantined does not count any more', async () => {
      const { histories, leases } = bench.store
      let held = await running(bench)
      for (let round = 0; round < 3; round++) {
        bench.advance(HOUR)
        await leases.recover({ silentForMs: null, limit: 9 })
        held = await taken(bench)
      }
      expect(await histories.load([heldOf(held)])).toMatchObject([{ lostSinceProgress: 3 }])
      await histories.diverge([{ ...heldOf(held), divergence: NO_PROGRESS }])
      await histories.resume({ ids: [held.executionId], limit: 1 })
      expect(await histories.load([heldOf(await taken(bench))])).toMatchObject([{ lostSinceProgress: 0 }])
    })

    it('leaves alone what waits for something else', async () => {
      const held = await running(bench)
      const { histories } = bench.store
      await histories.park([{ ...heldOf(held), dueAt: null }])
      expect(await histories.resume({ ids: [held.executionId], limit: 9 })).toEqual([])
      expect(await histories.resume({ jobTypes: ['import'], limit: 9 })).toEqual([])
    })
  })
}
