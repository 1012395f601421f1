import { describe, expect, it } from 'vitest'
import { job } from '../../../../src/job/type/job-type.ts'
import { DurableWorld, type SourceOf, startOn } from './world.ts'

export function durableCheckpoints(sourceOf: SourceOf): void {
  describe('a checkpoint', () => {
    it('of a plain job is there for its next attempt', async () => {
      const seen: unknown[] = []
      const copy = job('copy-rows', {
        retry: { retries: 2, initial: '10s' },
        run: async (_: undefined, { checkpoint, lastCheckpoint, attempt }) => {
          seen.push(await lastCheckpoint())
          await checkpoint({ row: attempt * 10, at: new Date(attempt) })
          if (attempt < 3) throw new Error('Again.')
          return await lastCheckpoint<{ row: number }>()
        },
      })
      await using t = await startOn(sourceOf(), { jobs: [copy] })
      const { id } = await t.app.enqueue(copy)
      await t.advance('1m')
      expect(await t.app.execution(id)).toMatchObject({ status: 'SUCCESS', output: { row: 30 } })
      expect(seen).toEqual([undefined, { row: 10, at: new Date(1) }, { row: 20, at: new Date(2) }])
    })

    it('of a node that lost the execution is refused', async () => {
      const refused: unknown[] = []
      const copy = job('copy-lost', {
        run: async (_: undefined, { checkpoint, attempt }) => {
          if (attempt > 1) return 'second'
          await waiting
          await checkpoint('late').catch((error: Error) => refused.push((error as { code?: string }).code))
          return 'first'
        },
      })
      let goOn = () => {}
      const waiting = new Promise<void>((resolve) => {
        goOn = resolve
      })
      await using world = new DurableWorld(sourceOf())
      const slow = await world.node({ jobs: [copy] })
      const { id } = await slow.app.enqueue(copy)
      await world.pass('1s')
      const quick = await world.node({ jobs: [copy] })
      await world.kill(slow)
      slow.thaw()
      goOn()
      await world.pass('2s')
      expect(await quick.execution(id)).toMatchObject({ status: 'SUCCESS', output: 'second' })
      expect(refused).toEqual(['execution.gone'])
    })

    it('of a durable job stands in its history', async () => {
      const store = sourceOf()
      const batch = job('batch-durable', {
        durable: true,
        run: async (_: undefined, ctx) => {
          await ctx.checkpoint({ done: new Set([1]) })
          await ctx.sleep('1h')
          return ctx.lastCheckpoint()
        },
      })
      const first = await startOn(store, { jobs: [batch] })
      const { id } = await first.app.enqueue(batch)
      await first.settle()
      await first.stop()
      await using second = await startOn(store, { jobs: [batch] })
      await second.advance('2h')
      expect(await second.app.execution(id)).toMatchObject({ status: 'SUCCESS', output: { done: new Set([1]) } })
    })
  })
}
