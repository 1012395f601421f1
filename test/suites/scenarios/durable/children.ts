import { describe, expect, it } from 'vitest'
import { activity } from '../../../../src/job/activity/activity.ts'
import { job } from '../../../../src/job/type/job-type.ts'
import { aborted, Gate } from '../gate.ts'
import { DurableWorld, type SourceOf, startOn } from './world.ts'

export function durableChildren(sourceOf: SourceOf): void {
  describe('a child', () => {
    it('is called and gives its output, or is started and waited for later', async () => {
      const add = job('add', { run: ({ a, b }: { a: number; b: number }) => a + b })
      const inner = job('inner', {
        durable: true,
        run: async (n: number, ctx) => {
          await ctx.sleep('1h')
          return new Date(n)
        },
      })
      const outer = job('outer', {
        durable: true,
        run: async (_: undefined, ctx) => {
          const started = await ctx.start(inner, 5)
          const sum = await ctx.call(add, { a: 1, b: 2 }, { priority: 'HIGH' })
          return { sum, at: await started.result(), id: started.executionId }
        },
      })
      await using t = await startOn(sourceOf(), { jobs: [add, inner, outer] })
      const { id } = await t.app.enqueue(outer, undefined, { tenant: 'acme' })
      await t.advance('59m')
      expect(await t.app.execution(id)).toMatchObject({ status: 'WAITING', dueAt: null })
      await t.advance('2m')
      expect(await t.app.execution(id)).toMatchObject({ status: 'SUCCESS', output: { sum: 3, at: new Date(5) } })
      const inners = await t.app.executions({ jobType: 'inner' })
      expect(inners).toMatchObject([{ tenant: 'acme', options: { durable: true, parent: id } }])
      const children = await t.app.executions({ jobType: 'add', tenant: 'acme' })
      expect(children).toMatchObject([{ priority: 'HIGH', options: { parent: id } }])
    })

    it('is given its input with its types, whether it is durable or not', async () => {
      const plain = job('plain-child', { run: (input: { at: Date }) => input })
      const inner = job('durable-child', {
        durable: true,
        run: async (input: { at: Date }) => await Promise.resolve(input),
      })
      const outer = job('typed-parent', {
        durable: true,
        run: async (input: { at: Date }, ctx) => [await ctx.call(plain, input), await ctx.call(inner, input)],
      })
      await using t = await startOn(sourceOf(), { jobs: [plain, inner, outer] })
      const { id } = await t.app.enqueue(outer, { at: new Date(5) })
      await t.advance('1s')
      expect((await t.app.execution(id))?.output).toStrictEqual([{ at: new Date(5) }, { at: new Date(5) }])
    })

    it('that is durable is given its input exactly, as if it were enqueued', async () => {
      const inputs: unknown[] = []
      const inner = job('exact-child', {
        durable: true,
        run: async (input: unknown) => void (await Promise.resolve(inputs.push(input))),
      })
      const outer = job('exact-parent', {
        durable: true,
        run: async (input: unknown, ctx) => await ctx.call(inner, input),
      })
      await using t = await startOn(sourceOf(), { jobs: [inner, outer] })
      const input = { none: undefined, zero: -0 }
      await t.app.enqueue(inner, input)
      await t.app.enqueue(outer, input)
      await t.advance('1s')
      expect(inputs).toStrictEqual([input, input])
    })

    it('that fails throws into its parent, which may catch it', async () => {
      const broken = job('broken-child', {
        retry: { retries: 0 },
        run: () => {
          throw new RangeError('Too much.')
        },
      })
      const parent = job('catching', {
        durable: true,
        run: async (_: undefined, ctx) => {
          try {
            return await ctx.call(broken)
          } catch (error) {
            return [(error as Error).name, (error as Error).message]
          }
        },
      })
      await using t = await startOn(sourceOf(), { jobs: [broken, parent] })
      const { id } = await t.app.enqueue(parent)
      await t.advance('1s')
      const output = ['ChildFailedError', expect.stringContaining('ended as FAILED: Too much.')]
      expect(await t.app.execution(id)).toMatchObject({ status: 'SUCCESS', output })
    })

    it('that somebody cancels throws into its parent too', async () => {
      const long = job('cancelled-child', { run: (_: undefined, { signal }) => aborted(signal) })
      const parent = job('bereft', { durable: true, run: (_: undefined, ctx) => ctx.call(long) })
      await using t = await startOn(sourceOf(), { jobs: [long, parent] })
      const { id } = await t.app.enqueue(parent)
      await t.settle()
      const [child] = await t.app.executions({ jobType: 'cancelled-child' })
      await t.app.cancel(child?.id ?? '', 'Not needed.')
      await t.advance('2s')
      expect(await t.app.execution(id)).toMatchObject({
        status: 'FAILED',
        error: {
          code: 'child.failed',
          message: `Child "cancelled-child" (execution ${child?.id}) ended as CANCELLED: Not needed.`,
        },
      })
    })

    it('whose input does not fit is not started, and its parent told so', async () => {
      const { z } = await import('zod')
      const strict = job('strict-child', { input: z.object({ n: z.number() }), run: () => 1 })
      const parent = job('careless', {
        durable: true,
        run: (_: undefined, ctx) => ctx.call(strict, { n: 'one' } as never),
      })
      await using t = await startOn(sourceOf(), { jobs: [strict, parent] })
      const { id } = await t.app.enqueue(parent)
      await t.advance('1s')
      expect(await t.app.execution(id)).toMatchObject({ status: 'FAILED' })
      expect(await t.app.executions({ jobType: 'strict-child' })).toEqual([])
    })

    it('that was called is cancelled with its parent, and one that was started goes on', async () => {
      const long = job('long-child', { run: (_: string, { signal }) => aborted(signal) })
      const parent = job('leaving', {
        durable: true,
        run: async (_: undefined, ctx) => {
          await ctx.start(long, 'started')
          await ctx.call(long, 'called')
        },
      })
      await using t = await startOn(sourceOf(), { jobs: [long, parent] })
      const { id } = await t.app.enqueue(parent)
      await t.settle()
      expect(await t.app.cancel(id, 'No more.')).toBe('cancelling')
      await t.advance('2s')
      expect(await t.app.execution(id)).toMatchObject({ status: 'CANCELLED', error: { message: 'No more.' } })
      const children = await t.app.executions({ jobType: 'long-child' })
      const statuses = new Map(children.map(({ input, status }) => [input, status]))
      expect([statuses.get('called'), statuses.get('started')]).toEqual(['CANCELLED', 'RUNNING'])
      for (const child of children) await t.app.cancel(child.id)
    })

    it('is started once, also where the node of its parent is lost', async () => {
      const child = job('once-child', { run: () => 'child' })
      const parent = job('once-parent', {
        durable: true,
        run: async (_: undefined, ctx) => {
          const output = await ctx.call(child)
          await ctx.run('hang', ({ signal, attempt }) => (isLost && attempt ? 'through' : aborted(signal)))
          return output
        },
      })
      let isLost = false
      await using world = new DurableWorld(sourceOf())
      const dead = await world.node({ jobs: [parent, child] })
      const { id } = await dead.app.enqueue(parent)
      await world.pass('2s')
      isLost = true
      const alive = await world.node({ jobs: [parent, child] })
      await world.kill(dead)
      expect(await alive.execution(id)).toMatchObject({ status: 'SUCCESS', output: 'child' })
      expect(await alive.app.executions({ jobType: 'once-child' })).toHaveLength(1)
    })
  })

  describe('an activity with a queue of its own', () => {
    it('runs on a node that serves the queue, while its run waits without a slot', async () => {
      const render = activity('render', {
        queue: 'gpu',
        retry: { initial: '1h' },
        run: (input: { at: Date }, { attempt, idempotencyKey, executionId, sequence }) => {
          if (attempt === 1) throw Object.assign(new Error('Warming up.'), { retryAfter: '3s' })
          return { at: input.at, idempotencyKey, executionId, sequence, parts: new Set([1]) }
        },
      })
      const film = job('film', { durable: true, run: (_: undefined, ctx) => ctx.run(render, { at: new Date(7) }) })
      await using world = new DurableWorld(sourceOf())
      const app = await world.node({ jobs: [film] })
      const { id } = await app.app.enqueue(film)
      await world.pass('2s')
      expect(await app.execution(id)).toMatchObject({ status: 'WAITING', dueAt: null })
      const gpu = await world.node({ activities: [render] })
      await world.pass('4s')
      expect(await app.execution(id)).toMatchObject({
        status: 'SUCCESS',
        output: {
          at: new Date(7),
          idempotencyKey: `${id}:1`,
          executionId: id,
          sequence: 1,
          parts: new Set([1]),
        },
      })
      const [task] = await gpu.app.executions({ jobType: 'activity:render' })
      const [, worker] = await app.app.nodes()
      expect(task).toMatchObject({ status: 'SUCCESS', queue: 'gpu', attempt: 2, nodeId: worker?.id })
      expect(await app.app.history(id)).toMatchObject([
        { kind: 'activity', name: 'render', status: 'COMPLETED', attempt: 2, childId: task?.id },
      ])
    })

    it('is not begun any more where it was cancelled while it was got ready', async () => {
      let begun = 0
      const reading = new Gate()
      const render = activity('render-ready', {
        queue: 'gpu-ready',
        run: () => {
          begun += 1
          throw new Error('Not yet.')
        },
      })
      const film = job('film-ready', { durable: true, run: (_: undefined, ctx) => ctx.run(render) })
      await using world = new DurableWorld(sourceOf())
      const node = await world.node({ jobs: [film], activities: [render] })
      let isReading = false
      node.link.intercept = async (verb, send) => {
        if (verb === 'histories.lastCheckpoint') {
          isReading = true
          await reading.opened
        }
        return await send()
      }
      const { id } = await node.app.enqueue(film)
      await world.pass('3s')
      expect({ begun, isReading }).toEqual({ begun: 1, isReading: true })
      await node.app.cancel(id)
      await world.pass('2s')
      reading.open()
      await world.pass('10s')
      expect(begun).toBe(1)
      expect(await node.execution(id)).toMatchObject({ status: 'CANCELLED' })
    })

    it('keeps all its timeouts: to start, of an attempt, in all, and between heartbeats', async () => {
      const seen: unknown[] = []
      const hang = activity('hang-routed', {
        queue: 'slow-lane',
        retry: { retries: 1, initial: '1s' },
        run: (_: undefined, { signal, heartbeat, heartbeatDetails, attempt }) => {
          seen.push(heartbeatDetails)
          heartbeat({ attempt })
          return aborted(signal)
        },
      })
      const waits = job('waits-routed', {
        durable: true,
        run: async (timeout: { start?: number; total?: number; attempt?: number; heartbeat?: number }, ctx) => {
          await ctx.run(hang, undefined, { timeout }).catch((error: Error) => {
            throw error.cause
          })
        },
      })
      await using world = new DurableWorld(sourceOf())
      const app = await world.node({ jobs: [waits] })
      const started = await app.app.enqueue(waits, { start: 5_000 })
      await world.pass('8s')
      expect((await app.execution(started.id)).error?.message).toContain('was not started within 5000 ms')
      await world.node({ activities: [hang] })
      const ids = await app.app.enqueueMany(waits, [{ attempt: 3_000 }, { total: 5_000 }, { heartbeat: 3_000 }])
      await world.pass('15s')
      const errors = await Promise.all(ids.map(async ({ id }) => (await app.execution(id)).error?.message))
      expect(errors).toEqual([
        expect.stringContaining('did not end within 3000 ms'),
        // On a busy server the end of the activity that was given up may arrive before the timeout is recorded.
        expect.stringMatching(/within 5000 ms|has given it up/),
        expect.stringContaining('gave no heartbeat for 3000 ms'),
      ])
      expect(seen).toEqual([undefined, undefined, undefined, { attempt: 1 }, { attempt: 1 }])
    })
  })
}
