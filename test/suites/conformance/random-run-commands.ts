import fc from 'fast-check'
import type { EntryKind } from '../../../src/job/activity/divergence.ts'
import { MINUTE } from './bench.ts'
import type { RandomHeld } from './random-commands.ts'

/** What may be done to durable executions. A number `which` picks one of what there is by then. */
export type RunCommand =
  | {
      readonly verb: 'record'
      readonly held: readonly RandomHeld[]
      readonly entries: readonly RandomEntry[]
      /** Whether the oldest signal is taken by it. */
      readonly takesSignal: boolean
    }
  | {
      readonly verb: 'startChildren'
      readonly held: readonly RandomHeld[]
      readonly isDurable: boolean
      readonly delayMs: number | null
    }
  | { readonly verb: 'hear'; readonly held: readonly RandomHeld[]; readonly isLoaded: boolean }
  | { readonly verb: 'park'; readonly held: readonly RandomHeld[]; readonly dueInMs: number | null }
  | { readonly verb: 'diverge'; readonly held: readonly RandomHeld[]; readonly isMismatch: boolean }
  | { readonly verb: 'resume'; readonly which: readonly number[] | null; readonly limit: number }
  | { readonly verb: 'wake'; readonly which: readonly number[] }
  | { readonly verb: 'signal'; readonly which: readonly number[]; readonly key: number | null }
  | { readonly verb: 'continueAs'; readonly held: readonly RandomHeld[] }
  | { readonly verb: 'cut'; readonly which: number; readonly sequence: number }
  | { readonly verb: 'fork'; readonly which: number; readonly sequence: number }
  | { readonly verb: 'checkpoint'; readonly held: readonly RandomHeld[]; readonly state: number }

export interface RandomEntry {
  readonly sequence: number
  readonly kind: EntryKind
  readonly isSettled: boolean
  readonly calls: number
  readonly dueInMs: number | null
  readonly isTimer: boolean
  /** A child of any run. */
  readonly child: number | null
  readonly takesChild: boolean
}

const which = fc.nat(1_000)
const some = fc.uniqueArray(which, { minLength: 1, maxLength: 3 })
const held = fc.array(fc.record({ which, epochOff: fc.constantFrom(0, 0, 0, 0, 1, -1) }), {
  minLength: 1,
  maxLength: 3,
})
const dueInMs = fc.constantFrom(null, null, 0, 1, 1_000, MINUTE, -1)

const entry: fc.Arbitrary<RandomEntry> = fc.record({
  sequence: fc.integer({ min: -2, max: 6 }),
  kind: fc.constantFrom<EntryKind>('activity', 'activity', 'timer', 'start', 'child', 'signal'),
  isSettled: fc.boolean(),
  calls: fc.nat(7),
  dueInMs,
  isTimer: fc.boolean(),
  child: fc.option(which),
  takesChild: fc.boolean(),
})

function command<Verb extends RunCommand['verb']>(
  verb: Verb,
  fields: {
    readonly [Name in keyof Omit<Extract<RunCommand, { verb: Verb }>, 'verb'>]: fc.Arbitrary<
      Extract<RunCommand, { verb: Verb }>[Name]
    >
  },
  weight: number,
): fc.WeightedArbitrary<RunCommand> {
  const arbitrary = fc.record({ verb: fc.constant(verb), ...fields }) as fc.Arbitrary<unknown>
  return { arbitrary: arbitrary as fc.Arbitrary<RunCommand>, weight }
}

export const runCommands: fc.WeightedArbitrary<RunCommand>[] = [
  command(
    'record',
    {
      held,
      entries: fc.uniqueArray(entry, { maxLength: 4, selector: ({ sequence }) => sequence }),
      takesSignal: fc.boolean(),
    },
    8,
  ),
  command(
    'startChildren',
    {
      held,
      isDurable: fc.boolean(),
      delayMs: fc.constantFrom(null, null, 0, 1_000),
    },
    5,
  ),
  command('hear', { held, isLoaded: fc.boolean() }, 4),
  command('park', { held, dueInMs }, 6),
  command('diverge', { held, isMismatch: fc.boolean() }, 3),
  command('resume', { which: fc.option(some), limit: fc.integer({ min: 1, max: 3 }) }, 2),
  command('wake', { which: some }, 2),
  command('signal', { which: some, key: fc.option(fc.nat(2)) }, 5),
  command('continueAs', { held }, 1),
  command('cut', { which, sequence: fc.integer({ min: 1, max: 6 }) }, 2),
  command('fork', { which, sequence: fc.integer({ min: 1, max: 6 }) }, 2),
  command('checkpoint', { held, state: fc.nat(9) }, 1),
]
