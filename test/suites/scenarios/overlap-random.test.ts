import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { OverlapRule } from '../../../src/job/rules/overlap.ts'
import { LongRuns, minutes } from './long-runs.ts'

const SECOND = 1_000
const MINUTES = 8

/** What happens in a minute, and when in it. */
interface Event {
  readonly what: 'nothing' | 'runNow' | 'die' | 'wake' | 'pause' | 'resume' | 'cancel'
  readonly second: number
  /** How long runs last that begin from then on. */
  readonly lasts: number
  readonly fails: boolean
}

const event: fc.Arbitrary<Event> = fc.record({
  what: fc.constantFrom('nothing', 'nothing', 'runNow', 'runNow', 'die', 'wake', 'pause', 'resume', 'cancel'),
  second: fc.integer({ min: 1, max: 59 }),
  lasts: fc.constantFrom(1, 20, 59, 60, 61, 130, 250),
  fails: fc.boolean(),
})

async function happen(long: LongRuns, { what }: Event): Promise<void> {
  const alive = long.nodes.filter(({ isFrozen }) => !isFrozen)
  const [running] = await long.executions('RUNNING')
  switch (what) {
    case 'runNow':
      await long.app.runNow('tick')
      return
    case 'die':
      // Whoever runs it, as long as others are left.
      if (running && alive.length > 1) (await long.holder()).freeze()
      return
    case 'wake':
      for (const node of long.nodes) if (node.isFrozen) node.thaw()
      return
    case 'pause':
    case 'resume': {
      const status = (await long.app.job('tick'))?.status
      if (what === 'pause' && status === 'ACTIVE') await long.app.pause('tick')
      if (what === 'resume' && status === 'PAUSED') await long.app.resume('tick')
      return
    }
    case 'cancel':
      if (running) await long.app.cancel(running.id)
      return
    case 'nothing':
  }
}

describe('whatever happens', () => {
  it.each<[OverlapRule]>([['queue'], ['skip'], ['replace'], [{ atMost: 1 }]])(
    '%j: never two at once, no two wait, and every occurrence is accounted for',
    async (overlap) => {
      const days = fc.array(event, { minLength: MINUTES, maxLength: MINUTES })
      await fc.assert(
        fc.asyncProperty(days, async (events) => {
          let fails = false
          const work = () => {
            if (fails) throw new Error('no')
          }
          await using long = await LongRuns.start({ lastsMs: SECOND, work, nodes: 3 })
          const retry = { retries: 2, initial: '40s' } as const
          await long.schedule({ overlap, retry, onFaulted: 'continue', misfire: { threshold: '20s' } })
          for (const each of events) {
            await long.pass(each.second)
            long.lastsMs = each.lasts * SECOND
            fails = each.fails
            await happen(long, each)
            await long.pass(60 - each.second)
          }
          expect(long.mostRunning).toBeLessThanOrEqual(1)
          if (overlap === 'queue') expect(long.mostWaiting).toBeLessThanOrEqual(1)
          expect(await long.accountedFor()).toEqual(minutes(1, MINUTES))
        }),
        { numRuns: 5 },
      )
    },
  )
})
