import fc from 'fast-check'
import { expect, it } from 'vitest'
import { activity } from '../../../src/job/activity/activity.ts'
import type { DurableContext } from '../../../src/job/activity/durable-context.ts'
import { job } from '../../../src/job/type/job-type.ts'
import { crashEverywhere } from '../../../src/testing/crash-everywhere.ts'
import type { CrashPlan } from '../../../src/testing/durable-world.ts'
import { type DurableTest, runDurable } from '../../../src/testing/run-durable.ts'

/** What a durable job may be made of. */
type Program =
  | { readonly op: 'step'; readonly value: number }
  | { readonly op: 'fails'; readonly retries: number }
  | { readonly op: 'undo'; readonly value: number }
  | { readonly op: 'sleep'; readonly seconds: number }
  | { readonly op: 'signal'; readonly seconds: number }
  | { readonly op: 'chance' }
  | { readonly op: 'checkpoint' }
  | { readonly op: 'child'; readonly value: number }
  | { readonly op: 'elsewhere'; readonly value: number }
  | { readonly op: 'all' | 'race' | 'allSettled' | 'sequence'; readonly parts: readonly Program[] }

const { program } = fc.letrec<{ program: Program }>((tie) => ({
  program: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.record({ op: fc.constant('step' as const), value: fc.nat(99) }),
    fc.record({ op: fc.constant('fails' as const), retries: fc.integer({ min: 0, max: 1 }) }),
    fc.record({ op: fc.constant('undo' as const), value: fc.nat(99) }),
    fc.record({ op: fc.constant('sleep' as const), seconds: fc.constantFrom(0, 0.1, 1, 3_600) }),
    fc.record({ op: fc.constant('signal' as const), seconds: fc.constantFrom(1, 60) }),
    fc.record({ op: fc.constant('chance' as const) }),
    fc.record({ op: fc.constant('checkpoint' as const) }),
    fc.record({ op: fc.constant('child' as const), value: fc.nat(99) }),
    fc.record({ op: fc.constant('elsewhere' as const), value: fc.nat(99) }),
    fc.record({
      op: fc.constantFrom('all' as const, 'race' as const, 'allSettled' as const, 'sequence' as const),
      parts: fc.array(tie('program'), { minLength: 1, maxLength: 3 }),
    }),
  ),
}))

const elsewhere = activity('elsewhere', { queue: 'elsewhere', run: (value: number) => new Date(value) })
const child = job('child', {
  durable: true,
  run: async (value: number, ctx) => ctx.run('of-child', () => BigInt(value)),
})
const undoable = activity('undoable', { run: (value: number) => new Set([value]), compensate: () => {} })

/** What it gives depends on nothing that a crash may change: who is first among those that are under way is open until it is recorded. */
async function perform(part: Program, ctx: DurableContext): Promise<unknown> {
  switch (part.op) {
    case 'step':
      return await ctx.run('step', () => part.value)
    case 'fails':
      return await ctx.run('fails', () => Promise.reject(new TypeError('no')), {
        retry: { retries: part.retries, initial: '1s' },
      })
    case 'undo':
      return await ctx.run(undoable, part.value)
    case 'sleep':
      return await ctx.sleep(part.seconds * 1_000)
    case 'signal':
      return typeof (await ctx.signal('news', undefined, { timeout: part.seconds * 1_000 }))
    case 'chance':
      return typeof ctx.random() + typeof ctx.uuid()
    case 'checkpoint':
      await ctx.checkpoint({ at: new Date(ctx.now()) })
      return ctx.lastCheckpoint<{ at: Date }>()?.at instanceof Date
    case 'child':
      return await ctx.call(child, part.value)
    case 'elsewhere':
      return await ctx.run(elsewhere, part.value)
    case 'all':
      return await Promise.all(part.parts.map((each) => perform(each, ctx))).catch(() => {
        throw new Error('One of them failed.')
      })
    case 'race':
      return await Promise.race(part.parts.map((each) => perform(each, ctx)))
        .catch(() => 'over')
        .then(() => 'over')
    case 'allSettled':
      return (await Promise.allSettled(part.parts.map((each) => perform(each, ctx)))).map((each) =>
        each.status === 'fulfilled' ? each.value : 'failed',
      )
    case 'sequence': {
      const values: unknown[] = []
      for (const each of part.parts) values.push(await perform(each, ctx))
      return values
    }
  }
}

/** Ends late enough for the signal that it is sent. */
const any = job('any', {
  durable: true,
  run: async (parts: Program, ctx) => {
    try {
      return await perform(parts, ctx)
    } finally {
      await ctx.sleep('10s')
    }
  },
})

// What is told of a call on one way to the store must not be overtaken by what is told of it on another.
const STEP = { op: 'step', value: 1 } as const
const ELSEWHERE = { op: 'elsewhere', value: 1 } as const
const CHILD = { op: 'child', value: 1 } as const
const FAILS = { op: 'fails', retries: 1 } as const

const around = { jobs: [child], activities: [elsewhere] }
const play = (run: DurableTest<unknown>) =>
  run.advance('1s').signal('news', 1n).advance('1s').advance('1 day').advance('1 day')

it('any durable job ends the same wherever its node is killed', async () => {
  await fc.assert(
    fc.asyncProperty(program, async (parts) => {
      const { result, points } = await crashEverywhere(any, parts, { ...around, play })
      expect(['SUCCESS', 'FAILED']).toContain(result.status)
      expect(points.length).toBeGreaterThan(0)
    }),
    { numRuns: 10, examples: [[{ op: 'all', parts: [STEP, ELSEWHERE, CHILD, FAILS] }]] },
  )
}, 120_000)

interface Death {
  /** Of its node, from 1. */
  readonly atWrite: number
  readonly isBefore: boolean
}

/** Each node dies its own death, one after the other. */
function dying(deaths: readonly Death[]): CrashPlan {
  const left = [...deaths]
  let writes = 0
  const isOver = (isBefore: boolean) => {
    const [next] = left
    if (next?.atWrite !== writes || next.isBefore !== isBefore) return false
    left.shift()
    writes = 0
    return true
  }
  return {
    beforeWrite: () => {
      writes += 1
      return isOver(true)
    },
    afterWrite: () => isOver(false),
  }
}

it('any durable job ends the same however often its nodes are killed', async () => {
  const deaths = fc.array(fc.record({ atWrite: fc.integer({ min: 1, max: 6 }), isBefore: fc.boolean() }), {
    minLength: 2,
    // After four in a row without any progress it would be put aside.
    maxLength: 3,
  })
  const parts = fc.array(program, { minLength: 2, maxLength: 4 }).map((list) => ({ op: 'all' as const, parts: list }))
  await fc.assert(
    fc.asyncProperty(parts, deaths, async (made, plan) => {
      const run = () => play(runDurable(any, made, around))
      const { status, output } = await run()
      const killed = await run().play(dying(plan))
      expect(killed.faults).toEqual([])
      expect(killed.result).toMatchObject({ status, output })
    }),
    { numRuns: 20 },
  )
}, 120_000)
