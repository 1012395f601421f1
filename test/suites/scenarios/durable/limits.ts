import { describe, expect, it } from 'vitest'
import type { OverlapRule } from '../../../../src/job/rules/overlap.ts'
import { type AnyJobType, job } from '../../../../src/job/type/job-type.ts'
import { cron } from '../../../../src/time/triggers/cron.ts'
import { DurableWorld, type SourceOf, startOn } from './world.ts'

export function durableLimits(sourceOf: SourceOf): void {
  describe('a rate limit', () => {
    it('counts the first start of a run, and lets it wake whenever it is due', async () => {
      const told: string[] = []
      await using world = new DurableWorld(sourceOf())
      const startAt = world.now()
      const note = (name: string) => told.push(`${name} ${Math.round((world.now() - startAt) / 1_000)}`)
      const rare = job('rare', {
        durable: true,
        rateLimit: { limit: 1, per: '1m' },
        run: async (name: string, ctx) => {
          await ctx.run('begin', () => void note(name))
          await ctx.sleep('10s')
          await ctx.run('middle', () => void note(name))
          await ctx.sleep('10s')
          await ctx.run('end', () => void note(name))
        },
      })
      const node = await world.node({ jobs: [rare] })
      const { id } = await node.app.enqueue(rare, 'a')
      await world.settle()
      await node.app.enqueue(rare, 'b')
      await world.pass('22s')
      expect(told).toEqual(['a 0', expect.stringMatching(/^a 1[01]$/), expect.stringMatching(/^a 2[012]$/)])
      expect(await node.execution(id)).toMatchObject({ status: 'SUCCESS', attempt: 1 })
      await world.pass('40s')
      expect(told.slice(3)).toEqual([expect.stringMatching(/^b 6[01]$/)])
    })

    it('counts the start after the loss of a node', async () => {
      const told: string[] = []
      const rare = job('rare-lost', {
        durable: true,
        rateLimit: { limit: 2, per: '1m' },
        run: async (name: string, ctx) => {
          await ctx.run('begin', () => void told.push(`${name} begins`))
          await ctx.run('hang', async () => (told.length > 2 ? undefined : new Promise<void>(() => {})))
          await ctx.sleep('5s')
          await ctx.run('end', () => void told.push(`${name} ends`))
        },
      })
      await using world = new DurableWorld(sourceOf())
      const dead = await world.node({ jobs: [rare] })
      await dead.app.enqueue(rare, 'a')
      await dead.app.enqueue(rare, 'b')
      await world.pass('1s')
      expect(told).toEqual(['a begins', 'b begins'])
      told.push('loss')
      const alive = await world.node({ jobs: [rare] })
      const statuses = async () => (await alive.app.executions({ jobType: 'rare-lost' })).map(({ status }) => status)
      await world.kill(dead)
      await world.pass('45s')
      expect(await statuses()).toEqual(['QUEUED', 'QUEUED'])
      await world.pass('10s')
      expect(await statuses()).toEqual(['WAITING', 'WAITING'])
      await world.pass('6s')
      expect(told.slice(3)).toEqual(['a ends', 'b ends'])
    })
  })

  describe('overlap, every minute, runs that wait for two and a half minutes', () => {
    async function play(overlap: OverlapRule, id: string) {
      const told: string[] = []
      const startAt = Date.UTC(2026, 0, 1)
      let mostOpen = 0
      const open = new Set<string>()
      const tick: AnyJobType = job(id, {
        durable: true,
        run: async (_: undefined, ctx) => {
          const name = new Date(ctx.now()).toISOString().slice(14, 16)
          await ctx.run('begin', () => {
            open.add(name)
            mostOpen = Math.max(mostOpen, open.size)
          })
          const close = (how: string) => {
            open.delete(name)
            told.push(`${name} ${how}`)
          }
          ctx.onCancel(async () => {
            await ctx.run('clean up', () => close('cleans up'))
          })
          await ctx.sleep('75s')
          await ctx.sleep('75s')
          await ctx.run('end', () => close('ends'))
        },
      })
      const t = await startOn(sourceOf(), { jobs: [tick], startAt })
      await t.app.schedule(tick, { name: id, trigger: cron('* * * * *', { timeZone: 'UTC' }), overlap })
      for (let second = 0; second < 600; second += 15) await t.advance('15s')
      await t.app.pause(id)
      for (let second = 0; second < 600; second += 15) await t.advance('15s')
      const left = await t.app.executions({ jobType: id, statuses: ['QUEUED', 'WAITING', 'RUNNING', 'DIVERGED'] })
      await t.stop()
      return { told, mostOpen, left }
    }

    it.each<[string, OverlapRule, number, string[]]>([
      ['queue', 'queue', 1, ['01 ends', '03 ends', '06 ends', '08 ends']],
      ['skip', 'skip', 1, ['01 ends', '04 ends', '07 ends', '10 ends']],
      ['at most two', { atMost: 2 }, 2, ['01 ends', '02 ends', '03 ends', '04 ends']],
    ])('%s: one that waits has not ended', async (name, overlap, most, expected) => {
      const { told, mostOpen, left } = await play(overlap, `tick-${name.replaceAll(' ', '-')}`)
      expect(mostOpen).toBe(most)
      expect(told.slice(0, 4)).toEqual(expected)
      expect(left).toEqual([])
    })

    it('replace: the next begins once the one before has cleaned up', async () => {
      const { told, mostOpen, left } = await play('replace', 'tick-replace')
      expect(mostOpen).toBe(1)
      expect(told).toEqual([...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((minute) => `0${minute} cleans up`), '10 ends'])
      expect(left).toEqual([])
    })
  })
}
