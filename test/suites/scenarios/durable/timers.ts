import { describe, expect, it } from 'vitest'
import type { Duration } from '../../../../src/duration.ts'
import { job } from '../../../../src/job/type/job-type.ts'
import { Cluster } from '../cluster.ts'
import { DurableWorld, type SourceOf, startOn } from './world.ts'

const DAY = 86_400_000
const LENGTHS: Duration[] = [1, 20, 249, 250, 251, '1s', '59s', '1h', '1d', '24d', '25d', '50d', '400d']

export function durableTimers(sourceOf: SourceOf): void {
  describe('time in a durable job', () => {
    it('is slept through to the millisecond, from one of them to 400 days, over restarts', async () => {
      const store = sourceOf()
      const woke = new Map<string, number>()
      let now = () => 0
      const nap = job('nap-for', {
        durable: true,
        run: async (duration: Duration, ctx) => {
          const from = ctx.now()
          await ctx.sleep(duration)
          woke.set(String(duration), now() - from)
          return ctx.now() - from
        },
      })
      const first = await startOn(store, { jobs: [nap] })
      now = () => first.now()
      const begunAt = first.now()
      const ids = new Map<Duration, string>()
      for (const length of LENGTHS) ids.set(length, (await first.app.enqueue(nap, length)).id)
      await first.advance('2s')
      await first.stop()
      let at = first.now()
      // Each of these is another process, with nothing of the runs in memory.
      for (const days of [0.5, 20, 3, 10, 40]) {
        const next = await startOn(store, { jobs: [nap], startAt: at })
        now = () => next.now()
        await next.advance(days * DAY)
        await next.stop()
        at = next.now()
      }
      await using last = await startOn(store, { jobs: [nap], startAt: at })
      now = () => last.now()
      await last.advance(begunAt + 401 * DAY - at)
      for (const [length, id] of ids) {
        const { status, output } = (await last.app.execution(id)) ?? {}
        const [entry] = await last.app.history(id)
        expect({ length, status }).toEqual({ length, status: 'SUCCESS' })
        expect(entry?.endedAt).toBeGreaterThanOrEqual(entry?.dueAt ?? Number.POSITIVE_INFINITY)
        expect(output).toBe((entry?.endedAt ?? 0) - (entry?.startedAt ?? 0))
        // A restart takes a moment, and the one that is due meanwhile waits for it.
        expect((entry?.endedAt ?? 0) - (entry?.dueAt ?? 0)).toBeLessThanOrEqual(2_000)
      }
    })

    it('is waited for up to an instant, not a millisecond less, and not at all where that is past', async () => {
      const until = Date.UTC(2026, 0, 1, 0, 1)
      const seen: number[] = []
      const wake = job('wake-at', {
        durable: true,
        run: async (_: undefined, ctx) => {
          await ctx.sleepUntil(until)
          seen.push(ctx.now())
          await ctx.sleepUntil(0)
          seen.push(ctx.now())
        },
      })
      await using t = await startOn(sourceOf(), { jobs: [wake] })
      const { id } = await t.app.enqueue(wake)
      await t.advanceTo(until - 1)
      expect(seen).toEqual([])
      await t.advance(1)
      expect(seen).toEqual([until, until])
      expect(await t.app.execution(id)).toMatchObject({ status: 'SUCCESS' })
    })

    it.each([3_600_000, -3_600_000])(
      'is that of the store, also where the clock of the node is off by %d ms',
      async (skewMs) => {
        const nap = job(`nap-skewed-${skewMs}`, { durable: true, run: (_: undefined, ctx) => ctx.sleep('10m') })
        const startAt = Date.UTC(2026, 0, 1)
        await using cluster = new Cluster(startAt, { store: sourceOf(), seed: 5_000 + Math.sign(skewMs) })
        const node = await cluster.start({ jobs: [nap], skewMs })
        const { id } = await node.enqueue(nap)
        await cluster.advance(599_999)
        expect(await node.execution(id)).toMatchObject({ status: 'WAITING', dueAt: startAt + 600_000 })
        await cluster.advance('2s')
        expect(await node.execution(id)).toMatchObject({ status: 'SUCCESS' })
      },
    )

    it('tells whether a timer fired or was cancelled, also on replay', async () => {
      const timers = job('timers', {
        durable: true,
        run: async (_: undefined, ctx) => {
          const late = ctx.timer('late', ctx.now() + 60_000)
          const soon = ctx.timer('soon', ctx.now() + 10_000)
          const first = await Promise.race([late.then(() => 'late'), soon.then(() => 'soon')])
          late.cancel()
          const outcome = [first, await soon, await late]
          await ctx.sleep('30s')
          return outcome
        },
      })
      await using world = new DurableWorld(sourceOf())
      const dead = await world.node({ jobs: [timers] })
      const { id } = await dead.app.enqueue(timers)
      await world.pass('20s')
      expect(await dead.execution(id)).toMatchObject({ status: 'WAITING' })
      const alive = await world.node({ jobs: [timers] })
      await world.kill(dead)
      await world.pass('30s')
      expect(await alive.execution(id)).toMatchObject({ status: 'SUCCESS', output: ['soon', 'fired', 'cancelled'] })
      expect(await alive.app.history(id)).toMatchObject([
        { kind: 'timer', name: 'late', output: 'cancelled', replayed: 1 },
        { kind: 'timer', name: 'soon', output: 'fired', replayed: 1 },
        { kind: 'timer', name: 'sleep', output: 'fired' },
      ])
    })

    it('keeps the instant of a wait before a retry over the loss of a node', async () => {
      const tried: number[] = []
      let now = () => 0
      const slow = job('slow-retry', {
        durable: true,
        run: (_: undefined, ctx) =>
          ctx.run(
            'try',
            ({ attempt }) => {
              tried.push(now())
              if (attempt < 3) throw new Error('Not yet.')
              return attempt
            },
            { retry: { initial: '20s', factor: 2 } },
          ),
      })
      await using world = new DurableWorld(sourceOf())
      now = () => world.now()
      const begunAt = world.now()
      const dead = await world.node({ jobs: [slow] })
      const { id } = await dead.app.enqueue(slow)
      await world.pass('5s')
      const alive = await world.node({ jobs: [slow] })
      await world.kill(dead)
      await world.pass('55s')
      expect(await alive.execution(id)).toMatchObject({ status: 'SUCCESS', output: 3 })
      expect(tried.map((at) => at - begunAt)).toEqual([0, 20_000, 60_000])
    })
  })
}
