import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { currentExecution } from '../../../../src/engine/running/current-execution.ts'
import { activity } from '../../../../src/job/activity/activity.ts'
import { NonRetryableError } from '../../../../src/job/execution/failure.ts'
import { job } from '../../../../src/job/type/job-type.ts'
import { aborted } from '../gate.ts'
import { listOf } from '../recorded.ts'
import { type SourceOf, startOn } from './world.ts'

export function durableRuns(sourceOf: SourceOf): void {
  describe('a durable job', () => {
    it('performs its activities in order, and keeps the types of what they give', async () => {
      const reserve = activity('reserve', {
        run: (order: { id: string }) => ({ order: order.id, at: new Date(0), parts: new Map([['a', 1n]]) }),
      })
      const order = job('order-typed', {
        durable: true,
        input: z.object({ id: z.string() }),
        run: async (input, ctx) => {
          const reserved = await ctx.run(reserve, input)
          const price = await ctx.run('price', () => 12)
          return { ...reserved, price, missing: undefined }
        },
      })
      await using t = await startOn(sourceOf(), { jobs: [order] })
      const { id } = await t.app.enqueue(order, { id: 'o-1' })
      await t.settle()
      expect(await t.app.execution(id)).toMatchObject({
        status: 'SUCCESS',
        attempt: 1,
        epoch: 1,
        output: { order: 'o-1', at: new Date(0), parts: new Map([['a', 1n]]), price: 12 },
      })
      expect(await t.app.history(id)).toMatchObject([
        { sequence: 1, kind: 'activity', name: 'reserve', status: 'COMPLETED', attempt: 1, input: { id: 'o-1' } },
        { sequence: 2, kind: 'activity', name: 'price', status: 'COMPLETED', output: 12, replayed: 0 },
      ])
    })

    it('performs what stands in Promise.all side by side', async () => {
      const began: string[] = []
      const sides = job('sides', {
        durable: true,
        run: async (_: undefined, ctx) => {
          const work = (name: string) => ctx.run(name, () => void began.push(name))
          const inTurn = async () => {
            await work('c')
            await work('d')
          }
          await Promise.all([work('a'), work('b'), inTurn()])
          const [first] = await Promise.allSettled([
            ctx.run('fails', () => Promise.reject(new NonRetryableError('No.'))),
            ctx.sleep(10),
          ])
          return first.status
        },
      })
      await using t = await startOn(sourceOf(), { jobs: [sides] })
      const { id } = await t.app.enqueue(sides)
      await t.advance('1s')
      expect(await t.app.execution(id)).toMatchObject({ status: 'SUCCESS', output: 'rejected' })
      expect(began).toEqual(['a', 'b', 'c', 'd'])
    })

    it('fails where an activity does for good, with the error of its last attempt', async () => {
      const declined = activity('declined', {
        retry: { retries: 2, initial: '10s', factor: 2 },
        run: (_: undefined, { attempt }) => Promise.reject(new RangeError(`Attempt ${attempt}.`)),
      })
      const pay = job('pay', { durable: true, run: (_: undefined, ctx) => ctx.run(declined) })
      await using t = await startOn(sourceOf(), { jobs: [pay] })
      const { id } = await t.app.enqueue(pay)
      await t.settle()
      expect(await t.app.execution(id)).toMatchObject({ status: 'WAITING', dueAt: t.now() + 10_000 })
      expect(await t.app.history(id)).toMatchObject([
        {
          status: 'RUNNING',
          attempt: 1,
          dueAt: t.now() + 10_000,
          error: { name: 'RangeError', message: 'Attempt 1.' },
        },
      ])
      await t.advance('10s')
      expect(await t.app.history(id)).toMatchObject([{ status: 'RUNNING', attempt: 2, dueAt: t.now() + 20_000 }])
      await t.advance('20s')
      expect(await t.app.execution(id)).toMatchObject({
        status: 'FAILED',
        error: {
          code: 'activity.failed',
          message: 'Activity "declined" (call 1) failed after 3 attempts: Attempt 3.',
        },
      })
      expect(await t.app.history(id)).toMatchObject([
        { status: 'FAILED', attempt: 3, error: { message: 'Attempt 3.' } },
      ])
    })

    it.each([
      ['attempt', { attempt: '5s' }, 'did not end within 5000 ms'],
      ['total', { attempt: '5s', total: '8s' }, 'with all its attempts, within 8000 ms'],
      ['heartbeat', { heartbeat: '3s' }, 'gave no heartbeat for 3000 ms'],
    ])('ends an activity at its %s timeout', async (name, timeout, message) => {
      const hang = activity(`hang-${name}`, {
        timeout,
        retry: { retries: name === 'total' ? 4 : 0, initial: 1 },
        run: (_: undefined, { signal }) => aborted(signal),
      })
      const stuck = job(`stuck-${name}`, { durable: true, run: (_: undefined, ctx) => ctx.run(hang) })
      await using t = await startOn(sourceOf(), { jobs: [stuck] })
      const { id } = await t.app.enqueue(stuck)
      await t.advance('20s')
      const view = await t.app.execution(id)
      expect(view).toMatchObject({ status: 'FAILED' })
      expect(view?.error?.message).toContain(message)
    })

    it('gives what the last heartbeat told to the next attempt', async () => {
      const seen: unknown[] = []
      const copy = activity('copy', {
        timeout: { heartbeat: '5s' },
        retry: { initial: '1s' },
        run: async (_: undefined, { heartbeat, heartbeatDetails, signal, attempt }) => {
          seen.push(heartbeatDetails)
          if (attempt === 2) return 'done'
          heartbeat({ row: 10 })
          heartbeat({ row: 20 })
          return await aborted(signal)
        },
      })
      const importing = job('importing', { durable: true, run: (_: undefined, ctx) => ctx.run(copy) })
      await using t = await startOn(sourceOf(), { jobs: [importing] })
      const { id } = await t.app.enqueue(importing)
      await t.advance('7s')
      expect(await t.app.execution(id)).toMatchObject({ status: 'SUCCESS', output: 'done' })
      expect(seen).toEqual([undefined, { row: 20 }])
      expect(await t.app.history(id)).toMatchObject([{ attempt: 2, details: { row: 20 } }])
    })

    it('ends at its own timeout, waits included, as TIMEOUT', async () => {
      const undone: unknown[] = []
      const book = activity('book', { run: () => 7, compensate: (_, { output }) => void undone.push(output) })
      const trip = job('trip', {
        durable: true,
        timeout: '1d',
        run: async (_: undefined, ctx) => {
          await ctx.run(book)
          await ctx.sleep('2d')
        },
      })
      await using t = await startOn(sourceOf(), { jobs: [trip] })
      const { id } = await t.app.enqueue(trip)
      await t.advance('23h')
      expect(await t.app.execution(id)).toMatchObject({ status: 'WAITING' })
      await t.advance('2h')
      expect(await t.app.execution(id)).toMatchObject({ status: 'TIMEOUT', error: { code: 'execution.timeout' } })
      expect(undone).toEqual([7])
    })

    it('refuses an input that does not fit, and does nothing', async () => {
      const strict = job('strict', {
        durable: true,
        input: z.object({ n: z.number() }),
        run: (_, ctx) => ctx.run('work', () => 1),
      })
      await using t = await startOn(sourceOf(), { jobs: [strict] })
      await expect(t.app.enqueue(strict, { n: 'one' } as never)).rejects.toThrow('n')
      const { id } = await t.app.enqueue('strict', { n: 1 })
      await t.settle()
      expect(await t.app.execution(id)).toMatchObject({ status: 'SUCCESS' })
    })

    it('knows itself in its code and in its activities, and keeps what they log', async () => {
      const seen: (string | undefined)[] = []
      const told = job('told', {
        durable: true,
        run: async (_: undefined, ctx) => {
          seen.push(currentExecution()?.executionId)
          ctx.log.info('In the job', { n: 1 })
          await ctx.run('work', ({ logger }) => {
            seen.push(currentExecution()?.executionId)
            logger.warn('In the activity')
          })
          await ctx.sleep('1h')
          ctx.log.info('Afterwards')
        },
      })
      await using t = await startOn(sourceOf(), { jobs: [told] })
      const { id } = await t.app.enqueue(told)
      await t.advance('1h')
      expect(await t.app.execution(id)).toMatchObject({ status: 'SUCCESS' })
      expect(seen).toEqual([id, id])
      expect((await listOf(t.app.logs(id))).map(({ message }) => message)).toEqual([
        'In the job',
        'In the activity',
        'Afterwards',
      ])
    })

    it('tells what happens to its steps', async () => {
      const events: [string, string, number][] = []
      const flaky = job('flaky', {
        durable: true,
        run: (_: undefined, ctx) =>
          ctx.run('flaky', ({ attempt }) => (attempt === 1 ? Promise.reject(new Error('Once.')) : 1)),
      })
      await using t = await startOn(sourceOf(), { jobs: [flaky] })
      for (const name of ['activity.completed', 'activity.retried', 'activity.failed', 'execution.parked'] as const) {
        t.app.on(name, (facts) => events.push([name, facts.executionId, facts.attempt]))
      }
      const { id } = await t.app.enqueue(flaky)
      await t.advance('2s')
      expect(events).toEqual([
        ['activity.retried', id, 1],
        ['execution.parked', id, 1],
        ['activity.completed', id, 2],
      ])
    })
  })
}
