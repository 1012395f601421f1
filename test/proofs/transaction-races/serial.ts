import { memory } from '../../../src/store/memory/memory.ts'
import { Bench, HOUR, START_AT } from '../../suites/conformance/bench.ts'
import { ManualEnv } from '../../suites/conformance/manual-env.ts'
import { answerOf, prepare } from './asking.ts'
import { buildCast, type Setting } from './cast.ts'
import { type Observed, observe } from './observe.ts'

/** Verbs, and where they meet. */
interface Asked {
  /** What number it has among all meetings: each comes later than those before. */
  readonly number: number
  readonly setting: Setting
  readonly verbs: readonly string[]
}

/** What was answered, by verb, and what is there afterwards. */
export interface Outcome {
  readonly answers: readonly unknown[]
  readonly state: Observed
}

/** Verbs one after the other, by their indexes. */
export type Order = readonly number[]

interface SerialOutcome {
  readonly order: Order
  readonly outcome: Outcome
}

/** Time and chance are the same for whoever does it, so that ids are. */
export function envOf(meeting: number): ManualEnv {
  return new ManualEnv(START_AT + meeting * HOUR)
}

/** What the memory store, which does one thing after the other, makes of verbs in each of their orders; without the first where that was undone. */
export async function serialOutcomes(
  meeting: Asked,
  isFirstGone: boolean,
  after?: (bench: Bench) => Promise<void>,
): Promise<SerialOutcome[]> {
  const indexes = [...meeting.verbs.keys()].slice(isFirstGone ? 1 : 0)
  return await Promise.all(
    permutations(indexes).map(async (order) => ({ order, outcome: await inTurn(meeting, order, after) })),
  )
}

async function inTurn(
  { number, setting, verbs }: Asked,
  order: Order,
  after: ((bench: Bench) => Promise<void>) | undefined,
): Promise<Outcome> {
  const bench = new Bench(() => memory(), envOf(number))
  await bench.open()
  const cast = await buildCast(bench, setting)
  const asks = prepare(bench, cast, verbs)
  const answers: unknown[] = verbs.map(() => 'undone')
  for (const index of order) answers[index] = await answerOf(asks[index]!, bench.store)
  await after?.(bench)
  const outcome = { answers, state: await observe(bench.store, cast) }
  await bench.close()
  return outcome
}

export function permutations<Each>(all: readonly Each[]): Each[][] {
  if (all.length <= 1) return [[...all]]
  return all.flatMap((each, index) => {
    return permutations(all.filter((_, other) => other !== index)).map((rest) => [each, ...rest])
  })
}
