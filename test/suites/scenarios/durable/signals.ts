import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { job } from '../../../../src/job/type/job-type.ts'
import { Gate } from '../gate.ts'
import { DurableWorld, type SourceOf, startOn } from './world.ts'

const Paid = z.object({ cents: z.number() })

export function durableSignals(sourceOf: SourceOf): void {
  describe('a signal', () => {
    it('that is read while its run comes to wait is heard all the same', async () => {
      const [working, reading] = [new Gate(), new Gate()]
      const both = job('signal-and-work', {
        durable: true,
        run: (_: undefined, ctx) => Promise.all([ctx.signal('go'), ctx.run('work', () => working.opened)]),
      })
      await using world = new DurableWorld(sourceOf())
      const node = await world.node({ jobs: [both] })
      const { id } = await node.app.enqueue(both)
      await world.pass('1s')
      let isRead = false
      node.link.intercept = async (verb, send) => {
        const answer = await send()
        if (verb !== 'histories.news' || isRead) return answer
        isRead = true
        await reading.opened
        return answer
      }
      await node.app.signal(id, 'go', 'now')
      await world.pass('2s')
      expect(isRead).toBe(true)
      working.open()
      await world.pass('2s')
      reading.open()
      await world.pass('10s')
      expect(await node.execution(id)).toMatchObject({ status: 'SUCCESS', output: ['now', undefined] })
    })

    it.each(['histories.news', 'histories.park'])('is heard also where the answer to %s is lost', async (verb) => {
      const waits = job(`signal-lost-${verb}`, {
        durable: true,
        run: async (_: undefined, ctx) => [await ctx.signal('first'), await ctx.signal('second')],
      })
      await using world = new DurableWorld(sourceOf())
      const node = await world.node({ jobs: [waits] })
      const { id } = await node.app.enqueue(waits)
      await world.pass('1s')
      node.link.loseAnswerOf(verb)
      await node.app.signal(id, 'first', 1)
      await world.pass('1s')
      await node.app.signal(id, 'second', 2)
      await world.pass('20s')
      expect(await node.execution(id)).toMatchObject({ status: 'SUCCESS', output: [1, 2] })
    })

    it('that comes early is kept, and one that comes late wakes the run', async () => {
      const seen: unknown[] = []
      const order = job('order-paid', {
        durable: true,
        run: async (_: undefined, ctx) => {
          await ctx.sleep('1h')
          seen.push(await ctx.signal('paid', Paid))
          seen.push(await ctx.signal('shipped'))
        },
      })
      await using t = await startOn(sourceOf(), { jobs: [order] })
      const { id } = await t.app.enqueue(order)
      await t.settle()
      await t.app.signal(id, 'paid', { cents: 5 })
      await t.advance('59m')
      expect(seen).toEqual([])
      await t.advance('2m')
      expect(seen).toEqual([{ cents: 5 }])
      expect(await t.app.execution(id)).toMatchObject({ status: 'WAITING', dueAt: null })
      await t.advance('20d')
      await t.app.signal(id, 'shipped', { at: new Date(0) })
      await t.settle()
      expect(seen[1]).toEqual({ at: new Date(0) })
      expect(await t.app.execution(id)).toMatchObject({ status: 'SUCCESS' })
    })

    it('is not waited for longer than was said, and one that comes later is for whoever waits next', async () => {
      const asking = job('asking', {
        durable: true,
        run: async (_: undefined, ctx) => {
          const first = await ctx.signal('yes', undefined, { timeout: '1h' })
          await ctx.sleep('1h')
          return [first, await ctx.signal('yes', undefined, { timeout: '1h' })]
        },
      })
      await using t = await startOn(sourceOf(), { jobs: [asking] })
      const { id } = await t.app.enqueue(asking)
      await t.advance('59m')
      expect(await t.app.history(id)).toMatchObject([{ kind: 'signal', status: 'RUNNING' }])
      await t.advance('31m')
      await t.app.signal(id, 'yes', 'at last')
      await t.advance('31m')
      expect(await t.app.execution(id)).toMatchObject({ status: 'SUCCESS', output: [null, 'at last'] })
    })

    it('under one key is given once, and those without one as often as they are sent, in order', async () => {
      const list = job('list', {
        durable: true,
        run: async (_: undefined, ctx) => {
          const seen: unknown[] = []
          for (;;) {
            const next = await ctx.signal('item', undefined, { timeout: '1m' })
            if (next === null) return seen
            seen.push(next)
          }
        },
      })
      await using t = await startOn(sourceOf(), { jobs: [list] })
      const { id } = await t.app.enqueue(list)
      await t.settle()
      await t.app.signal(id, 'item', 1, { idempotencyKey: 'a' })
      await t.settle()
      await t.app.signal(id, 'item', 1, { idempotencyKey: 'a' })
      await t.app.signal(id, 'item', 2)
      await Promise.all([3, 4, 5].map((n) => t.app.signal(id, 'item', n)))
      await t.app.signal(id, 'item', 2)
      await t.advance('2m')
      expect(await t.app.execution(id)).toMatchObject({ status: 'SUCCESS', output: [1, 2, 3, 4, 5, 2] })
    })

    it('that does not fit the schema is left out, and said so', async () => {
      const strict = job('strict-signal', { durable: true, run: (_: undefined, ctx) => ctx.signal('paid', Paid) })
      await using world = new DurableWorld(sourceOf())
      const node = await world.node({ jobs: [strict] })
      const { id } = await node.app.enqueue(strict)
      await node.app.signal(id, 'paid', 'nonsense')
      await world.pass('2s')
      expect(await node.execution(id)).toMatchObject({ status: 'WAITING' })
      expect(node.log.of('A signal does not fit what is waited for, and is left out')).toHaveLength(1)
      await node.app.signal(id, 'paid', { cents: 1 })
      await world.pass('2s')
      expect(await node.execution(id)).toMatchObject({ status: 'SUCCESS', output: { cents: 1 } })
    })

    it('to a run that runs on another node is heard there', async () => {
      const here = job('here', {
        durable: true,
        run: async (_: undefined, ctx) => {
          const [signal] = await Promise.all([
            ctx.signal('go'),
            ctx.run('long', async ({ signal: aborting }) => {
              await new Promise<void>((resolve) => {
                stopWaiting = resolve
                aborting.addEventListener('abort', () => resolve())
              })
            }),
          ])
          return signal
        },
      })
      let stopWaiting = () => {}
      await using world = new DurableWorld(sourceOf())
      const node = await world.node({ jobs: [here] })
      const sender = await world.node()
      const { id } = await node.app.enqueue(here)
      await world.pass('1s')
      await sender.app.signal(id, 'go', 'now')
      await world.pass('2s')
      expect(await sender.app.history(id)).toMatchObject([
        { kind: 'signal', status: 'COMPLETED', output: 'now' },
        { kind: 'activity', status: 'RUNNING' },
      ])
      stopWaiting()
      await world.pass('1s')
      expect(await sender.execution(id)).toMatchObject({ status: 'SUCCESS', output: 'now' })
    })

    it('is taken once, also where the node is lost right after', async () => {
      const twice = job('twice', {
        durable: true,
        run: async (_: undefined, ctx) => {
          const first = await ctx.signal('n')
          await ctx.sleep('20s')
          return [first, await ctx.signal('n', undefined, { timeout: '1s' })]
        },
      })
      await using world = new DurableWorld(sourceOf())
      const dead = await world.node({ jobs: [twice] })
      const { id } = await dead.app.enqueue(twice)
      await dead.app.signal(id, 'n', 1)
      await world.pass('2s')
      const alive = await world.node({ jobs: [twice] })
      await world.kill(dead)
      await world.pass('30s')
      expect(await alive.execution(id)).toMatchObject({ status: 'SUCCESS', output: [1, null] })
    })

    it('to one that has ended, does not exist, or is not durable, is refused', async () => {
      const over = job('over', { durable: true, run: () => 1 })
      const plain = job('plain-unsignalled', { run: () => 1 })
      await using t = await startOn(sourceOf(), { jobs: [over] })
      const { id } = await t.app.enqueue(over)
      const other = await t.app.enqueue(plain)
      await t.settle()
      await expect(t.app.signal(id, 'x')).rejects.toMatchObject({
        code: 'execution.status_conflict',
        message: `Execution "${id}" is SUCCESS; a signal needs one that has not ended.`,
      })
      await expect(t.app.signal(other.id, 'x')).rejects.toMatchObject({ code: 'execution.not_durable' })
      const unknown = '019b76da-a800-7000-8000-000000000000'
      await expect(t.app.signal(unknown, 'x')).rejects.toMatchObject({ code: 'execution.unknown' })
      await expect(t.app.signal(id, 'x', () => 1)).rejects.toThrow('Payload of signal "x"')
    })
  })
}
