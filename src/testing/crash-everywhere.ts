import { inspect, isDeepStrictEqual } from 'node:util'
import { PontualError } from '../errors.ts'
import type { SignalSchemas } from '../job/activity/signals.ts'
import { isFinal } from '../job/execution/execution.ts'
import type { JobType } from '../job/type/job-type.ts'
import type { CrashPlan } from './durable-world.ts'
import {
  type DurableResult,
  DurableTest,
  type DurableTestOptions,
  type PlayedRun,
  requireDurable,
  type TestArguments,
} from './run-durable.ts'

/** What a run goes through while it is killed at each of its writes. */
export interface CrashEverywhereOptions<Output, Signals extends SignalSchemas = SignalSchemas>
  extends DurableTestOptions {
  /** What happens to the run: mocks, signals, time. Called for each run anew. Default: ten years pass. */
  readonly play?: ((run: DurableTest<Output, Signals>) => DurableTest<Output, Signals>) | undefined
  /** Called before each run: puts whatever its activities change back to the beginning. */
  readonly before?: (() => unknown) | undefined
  /** Called after each run, to look at what its activities have changed. Throws where that is not right. */
  readonly check?: ((result: DurableResult<Output>) => unknown) | undefined
}

/** What came of killing a run at each of its writes. */
export interface CrashReport<Output> {
  /** How it ends when nothing happens, and so however it is killed. */
  readonly result: DurableResult<Output>
  /** Where it was killed, in words. */
  readonly points: readonly string[]
}

/** A run that was killed did not end as one that was not. */
export class CrashTestError extends PontualError {
  /** Where it was killed. */
  readonly point: string

  constructor(point: string, message: string, options?: ErrorOptions) {
    super('testing.crash', `${point}: ${message}`, { point }, options)
    this.point = point
  }
}

/**
 * Runs a durable job once, and then again and again, each time killed at another point: before each of its records is sent, and after each is stored, but before the
 * answer. However it is killed, it must end as the first one did, and nothing that was recorded may be performed again. Throws a {@link CrashTestError} that
 * names the point.
 *
 * ```ts
 * test('survives any crash', () => crashEverywhere(order, { id: 'o-1' }, { play: (run) => run.mock(charge, () => receipt) }))
 * ```
 */
export async function crashEverywhere<Input, Output, Payload, Signals extends SignalSchemas>(
  job: JobType<Input, Output, Payload, Signals>,
  ...[input, options = {}]: TestArguments<NoInfer<Payload>, CrashEverywhereOptions<Output, Signals>>
): Promise<CrashReport<Output>> {
  const { play = (run) => run.advance('3650 days'), before, check, ...given } = options
  const type = requireDurable(job)
  let runs = 0
  const run = async (crashes: CrashPlan): Promise<PlayedRun<Output>> => {
    await before?.()
    // In one store each needs ids of its own.
    const seed = (given.seed ?? 1) + (given.store ? runs : 0)
    runs += 1
    return await play(new DurableTest<Output, Signals>(type, input, { ...given, seed })).play(crashes)
  }
  let writes = 0
  const expected = await run({
    beforeWrite: () => {
      writes += 1
      return false
    },
  })
  requireEnd(expected.result)
  await judge('Not killed', expected, expected.result, check)
  const points: string[] = []
  for (let number = 1; number <= writes; number += 1) {
    for (const side of ['beforeWrite', 'afterWrite'] as const) {
      const crash = crashAt(number, side)
      let played: PlayedRun<Output>
      try {
        played = await run(crash.plan)
      } catch (cause) {
        throw new CrashTestError(crash.point(), wordsOf(cause), { cause })
      }
      points.push(crash.point())
      await judge(crash.point(), played, expected.result, check)
    }
  }
  return { result: expected.result, points }
}

/** One crash, and where it was. */
function crashAt(number: number, side: keyof CrashPlan): { readonly plan: CrashPlan; point(): string } {
  let seen = 0
  let point = `Not killed: it did not come to write ${number}`
  const count: CrashPlan['beforeWrite'] = ({ told }) => {
    seen += 1
    if (seen === number) {
      const where =
        side === 'beforeWrite' ? 'before the store was told' : 'after the store was told, before it answered,'
      point = `Killed at write ${number}, ${where} ${told}`
    }
    return seen === number && side === 'beforeWrite'
  }
  const die: CrashPlan['afterWrite'] = () => seen === number && side === 'afterWrite'
  return { plan: { beforeWrite: count, afterWrite: die }, point: () => point }
}

async function judge<Output>(
  point: string,
  { result, faults }: PlayedRun<Output>,
  expected: DurableResult<Output>,
  check: ((result: DurableResult<Output>) => unknown) | undefined,
): Promise<void> {
  const [fault] = faults
  if (fault) throw new CrashTestError(point, `${fault}.`)
  if (!isDeepStrictEqual(endOf(result), endOf(expected))) {
    throw new CrashTestError(point, `it ended as ${sentence(result)}, instead of ${sentence(expected)}.`)
  }
  try {
    await check?.(result)
  } catch (cause) {
    throw new CrashTestError(point, wordsOf(cause), { cause })
  }
}

function requireEnd({ status, history }: DurableResult<unknown>): void {
  if (isFinal(status)) return
  const waiting = history.filter((entry) => entry.status === 'RUNNING')
  const list = waiting.map(({ kind, name, sequence }) => `${kind} "${name}" (call ${sequence})`).join(', ')
  const until = list ? `, and waits for ${list}` : ''
  throw new CrashTestError('Not killed', `it has not ended: it is ${status}${until}. Let play do what it waits for.`)
}

function endOf({ status, output, error }: DurableResult<unknown>): unknown {
  return { status, output, error: error && { name: error.name, message: error.message, code: error.code } }
}

function sentence({ status, output, error }: DurableResult<unknown>): string {
  return error ? `${status} (${error.name}: ${error.message})` : `${status} with ${shown(output)}`
}

function shown(output: unknown): string {
  const text = inspect(output)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

const MAX_SHOWN = 200

function wordsOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
