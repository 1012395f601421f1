import { describe, expect, it } from 'vitest'
import { type AnyJobType, job } from '../../../../src/job/type/job-type.ts'
import { type SourceOf, startOn } from './world.ts'

export function durableChangedCode(sourceOf: SourceOf): void {
  describe('changed code', () => {
    it('that does not fit is parked before it does anything, and resumed by a start of code that fits', async () => {
      const store = sourceOf()
      const done: string[] = []
      const versionOf = (second: string): AnyJobType =>
        job('deployed', {
          durable: true,
          run: async (_: undefined, ctx) => {
            await ctx.run('first', () => void done.push('first'))
            await ctx.run(second, () => void done.push(second))
            await ctx.sleep('1h')
            await ctx.run('last', () => void done.push('last'))
            return 'done'
          },
        })
      const first = await startOn(store, { jobs: [versionOf('second')] })
      const { id } = await first.app.enqueue('deployed')
      await first.settle()
      await first.stop()
      const history = await startOn(store, {})
      const recorded = await history.app.history(id)
      await history.stop()

      const wrong = await startOn(store, { jobs: [versionOf('other')] })
      const diverged: unknown[] = []
      wrong.app.on('execution.diverged', ({ divergence }) => diverged.push(divergence))
      await wrong.advance('2h')
      const divergence = {
        reason: 'mismatch',
        sequence: 2,
        recorded: { kind: 'activity', name: 'second' },
        called: { kind: 'activity', name: 'other' },
      }
      expect(await wrong.app.execution(id)).toMatchObject({ status: 'DIVERGED', divergence })
      expect(diverged).toMatchObject([divergence])
      const unchanged = await wrong.app.history(id)
      expect(unchanged.map((entry) => ({ ...entry, replayed: 0 }))).toEqual(recorded)
      await wrong.stop()

      await using right = await startOn(store, { jobs: [versionOf('second')], startAt: wrong.now() })
      await right.advance('1s')
      expect(await right.app.execution(id)).toMatchObject({ status: 'SUCCESS', output: 'done' })
      expect(done).toEqual(['first', 'second', 'last'])
    })

    it('that asks whether it is patched fits both old and new runs', async () => {
      const store = sourceOf()
      const done: string[] = []
      const versionOf = (isNew: boolean): AnyJobType =>
        job('patched', {
          durable: true,
          run: async (name: string, ctx) => {
            const call = (what: string) => ctx.run(what, () => void done.push(`${name} ${what}`))
            await call('start')
            if (isNew && ctx.patched('check-first')) await call('check')
            await call('work')
            await ctx.sleep('1h')
            await call('end')
          },
        })
      const old = await startOn(store, { jobs: [versionOf(false)] })
      const before = await old.app.enqueue('patched', 'old')
      await old.settle()
      await old.stop()
      const first = await startOn(store, { jobs: [versionOf(true)] })
      const after = await first.app.enqueue('patched', 'new')
      await first.settle()
      await first.stop()
      await using second = await startOn(store, { jobs: [versionOf(true)] })
      await second.advance('2h')
      expect(await second.app.execution(before.id)).toMatchObject({ status: 'SUCCESS' })
      expect(await second.app.execution(after.id)).toMatchObject({ status: 'SUCCESS' })
      expect(done.toSorted()).toEqual(
        ['old start', 'old work', 'old end', 'new start', 'new check', 'new work', 'new end'].toSorted(),
      )
    })
  })

  describe('a run that begins anew', () => {
    it('keeps its id and what was sent to it, and has a short history', async () => {
      const keys: string[] = []
      const endless = job('endless', {
        durable: true,
        run: async ({ round, seen }: { round: number; seen: unknown[] }, ctx) => {
          await ctx.run('work', ({ idempotencyKey }) => void keys.push(idempotencyKey))
          const next = await ctx.signal('next', undefined, { timeout: '1h' })
          if (next === null) return { round, seen, uuid: ctx.uuid() }
          return await ctx.continueAs({ round: round + 1, seen: [...seen, next] })
        },
      })
      const store = sourceOf()
      const first = await startOn(store, { jobs: [endless] })
      const { id } = await first.app.enqueue(endless, { round: 1, seen: [] })
      await first.settle()
      for (const n of [1, 2, 3]) await first.app.signal(id, 'next', n)
      await first.settle()
      await first.stop()
      await using second = await startOn(store, { jobs: [endless] })
      await second.app.signal(id, 'next', 4)
      await second.advance('2h')
      expect(await second.app.execution(id)).toMatchObject({
        status: 'SUCCESS',
        output: { round: 5, seen: [1, 2, 3, 4] },
      })
      expect((await second.app.history(id)).map(({ kind }) => kind)).toEqual(['input', 'activity', 'signal'])
      expect(new Set(keys).size).toBe(5)
    })

    it('from a chosen activity repeats that and what follows, as a new execution', async () => {
      const done: string[] = []
      let isBroken = true
      const flow = job('flow', {
        durable: true,
        run: async (_: undefined, ctx) => {
          const first = await ctx.run('first', () => done.push('first'))
          const second = await ctx.run('second', () => done.push('second'))
          await ctx.run(
            'third',
            () => {
              done.push('third')
              if (isBroken) throw new TypeError('Broken.')
            },
            { retry: { retries: 0 } },
          )
          return [first, second]
        },
      })
      await using t = await startOn(sourceOf(), { jobs: [flow] })
      const { id } = await t.app.enqueue(flow)
      await t.settle()
      expect(await t.app.execution(id)).toMatchObject({ status: 'FAILED' })
      isBroken = false
      const again = await t.app.restart(id, { from: 'second' })
      expect(again).not.toBe(id)
      await t.settle()
      expect(await t.app.execution(again)).toMatchObject({
        status: 'SUCCESS',
        origin: 'retry',
        output: [1, 4],
        options: { retryOf: id, isForked: true },
      })
      expect(done).toEqual(['first', 'second', 'third', 'second', 'third'])
      expect(await t.app.execution(id)).toMatchObject({ status: 'FAILED' })
      const third = await t.app.restart(again, { from: 3 })
      await t.settle()
      expect(await t.app.execution(third)).toMatchObject({ status: 'SUCCESS', output: [1, 4] })
      expect(done.slice(5)).toEqual(['third'])
      await expect(t.app.restart(id, { from: 'nothing' })).rejects.toMatchObject({ code: 'option.invalid' })
    })

    it('has all of its timeout again, however long ago the first began', async () => {
      let isBroken = true
      const limited = job('flow-limited', {
        durable: true,
        timeout: '1h',
        run: async (_: undefined, ctx) => {
          await ctx.run('first', () => 1)
          const second = () => {
            if (isBroken) throw new TypeError('Broken.')
          }
          await ctx.run('second', second, { retry: { retries: 0 } })
          await ctx.sleep('1d')
        },
      })
      await using t = await startOn(sourceOf(), { jobs: [limited] })
      const { id } = await t.app.enqueue(limited)
      await t.advance('3h')
      isBroken = false
      const again = await t.app.restart(id, { from: 'second' })
      await t.advance('59m')
      expect(await t.app.execution(again)).toMatchObject({ status: 'WAITING' })
      await t.advance('2m')
      expect(await t.app.execution(again)).toMatchObject({ status: 'TIMEOUT' })
    })

    it('from a chosen call is the same execution where it is DIVERGED, and refused where it goes on', async () => {
      const store = sourceOf()
      const done: string[] = []
      const versionOf = (second: string): AnyJobType =>
        job('rewound', {
          durable: true,
          run: async (_: undefined, ctx) => {
            await ctx.run('first', () => void done.push('first'))
            await ctx.run(second, () => void done.push(second))
            await ctx.sleep('1h')
          },
        })
      const first = await startOn(store, { jobs: [versionOf('second')] })
      const { id } = await first.app.enqueue('rewound')
      await first.settle()
      await expect(first.app.restart(id, { from: 1 })).rejects.toMatchObject({ code: 'execution.status_conflict' })
      await expect(first.app.resumeExecution(id)).rejects.toMatchObject({ code: 'execution.status_conflict' })
      await first.stop()
      await using changed = await startOn(store, { jobs: [versionOf('other')] })
      await changed.advance('1h')
      expect(await changed.app.execution(id)).toMatchObject({ status: 'DIVERGED' })
      expect(await changed.app.restart(id, { from: 2 })).toBe(id)
      await changed.advance('2h')
      expect(await changed.app.execution(id)).toMatchObject({ status: 'SUCCESS' })
      expect(done).toEqual(['first', 'second', 'other'])
    })
  })
}
