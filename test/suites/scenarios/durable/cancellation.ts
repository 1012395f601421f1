import { describe, expect, it } from 'vitest'
import { activity } from '../../../../src/job/activity/activity.ts'
import { NonRetryableError } from '../../../../src/job/execution/failure.ts'
import { job } from '../../../../src/job/type/job-type.ts'
import { aborted, Gate } from '../gate.ts'
import { DurableWorld, type SourceOf, startOn } from './world.ts'

/** Things that are done and undone, and what came of it. */
function booking(name: string) {
  const done: string[] = []
  const book = activity(`book-${name}`, {
    run: (what: string) => {
      done.push(`+${what}`)
      return `${what}!`
    },
    compensate: (what, { output }) => void done.push(`-${what} ${output}`),
  })
  return { done, book }
}

export function durableCancellation(sourceOf: SourceOf): void {
  describe('a durable run that is cancelled', () => {
    it('while it waits undoes what it did, the latest first, and ends as CANCELLED', async () => {
      const { done, book } = booking('waiting')
      const trip = job('trip-cancelled', {
        durable: true,
        run: async (_: undefined, ctx) => {
          ctx.onCancel(() => ctx.run('tell', () => void done.push('told')))
          await ctx.run(book, 'flight')
          await ctx.run(book, 'hotel')
          await ctx.sleep('30d')
          await ctx.run(book, 'never')
        },
      })
      await using t = await startOn(sourceOf(), { jobs: [trip] })
      const { id } = await t.app.enqueue(trip)
      await t.advance('1d')
      expect(await t.app.cancel(id, 'Changed my mind.')).toBe('cancelling')
      await t.settle()
      expect(await t.app.execution(id)).toMatchObject({
        status: 'CANCELLED',
        error: { code: 'execution.cancelled', message: 'Changed my mind.' },
      })
      expect(done).toEqual(['+flight', '+hotel', '-hotel hotel!', '-flight flight!', 'told'])
      expect(await t.app.cancel(id)).toBe('final')
      expect((await t.app.history(id)).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
        'cancellation cancel',
        'activity book-waiting',
        'activity book-waiting',
        'timer sleep',
        'compensation book-waiting',
        'compensation book-waiting',
        'activity tell',
      ])
    })

    it('while it runs sees its activity aborted, and nothing new begins', async () => {
      const seen: string[] = []
      const busy = job('busy-cancelled', {
        durable: true,
        run: async (_: undefined, ctx) => {
          try {
            await ctx.run('hang', ({ signal }) => {
              signal.addEventListener('abort', () => seen.push('aborted'))
              return aborted(signal)
            })
          } catch (error) {
            seen.push((error as Error).name)
          }
          await ctx.run('more', () => void seen.push('more'))
        },
      })
      await using world = new DurableWorld(sourceOf())
      const node = await world.node({ jobs: [busy] })
      const other = await world.node()
      const { id } = await node.app.enqueue(busy)
      await world.pass('1s')
      expect(await other.app.cancel(id)).toBe('cancelling')
      await world.pass('2s')
      expect(await other.execution(id)).toMatchObject({ status: 'CANCELLED' })
      expect(seen).toEqual(['aborted', 'CancelledError'])
    })

    it('cannot end as anything else once that is acknowledged', async () => {
      const { done, book } = booking('late')
      const gate = new Gate()
      const racing = job('racing-cancelled', {
        durable: true,
        run: async (_: undefined, ctx) => {
          await ctx.run(book, 'one')
          await ctx.run('slow', () => gate.opened)
          return 'success'
        },
      })
      await using world = new DurableWorld(sourceOf())
      const node = await world.node({ jobs: [racing] })
      const other = await world.node()
      const { id } = await node.app.enqueue(racing)
      await world.settle()
      // It does not hear of it before its end.
      node.link.isDeaf = true
      expect(await other.app.cancel(id)).toBe('cancelling')
      gate.open()
      await world.pass('5s')
      expect(await other.execution(id)).toMatchObject({ status: 'CANCELLED' })
      expect(done).toEqual(['+one', '-one one!'])
    })

    it('goes on undoing where its node is lost, and undoes nothing twice', async () => {
      const done: string[] = []
      let isLost = false
      const book = activity('book-lost', {
        run: (what: string) => void done.push(`+${what}`),
        compensate: async (what, { signal }) => {
          done.push(`-${what}`)
          if (what === 'a' && !isLost) await aborted(signal)
        },
      })
      const trip = job('trip-lost', {
        durable: true,
        run: async (_: undefined, ctx) => {
          await ctx.run(book, 'a')
          await ctx.run(book, 'b')
          await ctx.sleep('1d')
        },
      })
      await using world = new DurableWorld(sourceOf())
      const dead = await world.node({ jobs: [trip] })
      const { id } = await dead.app.enqueue(trip)
      await world.pass('1s')
      await dead.app.cancel(id)
      await world.pass('1s')
      expect(done).toEqual(['+a', '+b', '-b', '-a'])
      isLost = true
      const alive = await world.node({ jobs: [trip] })
      await world.kill(dead)
      expect(done).toEqual(['+a', '+b', '-b', '-a', '-a'])
      expect(await alive.execution(id)).toMatchObject({ status: 'CANCELLED' })
    })

    it('ends as CANCELLED also where its code catches everything, and tries again and again', async () => {
      const { done, book } = booking('stubborn')
      let tries = 0
      const stubborn = job('trip-stubborn', {
        durable: true,
        run: async (_: undefined, ctx) => {
          await ctx.run(book, 'a')
          for (;;) {
            tries += 1
            try {
              return await ctx.sleep('1d')
            } catch (error) {
              // Without end, where nothing but promises turns.
              if (tries > 100_000) throw error
            }
          }
        },
      })
      await using world = new DurableWorld(sourceOf())
      const node = await world.node({ jobs: [stubborn] })
      const { id } = await node.app.enqueue(stubborn)
      await world.pass('1s')
      expect(await node.app.cancel(id)).toBe('cancelling')
      await world.pass('2s')
      expect(await node.execution(id)).toMatchObject({ status: 'CANCELLED' })
      expect(tries).toBeLessThan(2_000)
      expect(done).toEqual(['+a', '-a a!'])
    })

    it('before it has begun, or by force, ends at once', async () => {
      const { done, book } = booking('forced')
      const trip = job('trip-forced', {
        durable: true,
        run: async (_: undefined, ctx) => {
          await ctx.run(book, 'a')
          await ctx.sleep('1d')
        },
      })
      await using t = await startOn(sourceOf(), { jobs: [trip] })
      const later = await t.app.enqueue(trip, undefined, { delay: '1h' })
      expect(await t.app.cancel(later.id)).toBe('cancelled')
      const { id } = await t.app.enqueue(trip)
      await t.settle()
      expect(await t.app.cancel(id, 'Now.', { force: true })).toBe('cancelled')
      await t.advance('2d')
      expect(await t.app.execution(id)).toMatchObject({ status: 'CANCELLED', error: { message: 'Now.' } })
      expect(done).toEqual(['+a'])
    })
  })

  describe('a durable run that fails', () => {
    it('undoes what it did, the latest first, also after the loss of its node', async () => {
      const { done, book } = booking('failing')
      const trip = job('trip-failing', {
        durable: true,
        run: async (_: undefined, ctx) => {
          await ctx.run(book, 'flight')
          await ctx.run(book, 'hotel')
          await ctx.sleep('20s')
          await ctx.run('pay', () => Promise.reject(new NonRetryableError('Declined.')))
        },
      })
      await using world = new DurableWorld(sourceOf())
      const dead = await world.node({ jobs: [trip] })
      const { id } = await dead.app.enqueue(trip)
      await world.pass('2s')
      const alive = await world.node({ jobs: [trip] })
      await world.kill(dead)
      await world.pass('15s')
      expect(await alive.execution(id)).toMatchObject({ status: 'FAILED', error: { code: 'activity.failed' } })
      expect(done).toEqual(['+flight', '+hotel', '-hotel hotel!', '-flight flight!'])
    })
  })
}
