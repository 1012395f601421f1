import { type Duration, parseDuration } from '../duration.ts'
import type { HistoryEntryView } from '../engine/durable/history-view.ts'
import { InvalidInputError, PontualError, quote } from '../errors.ts'
import type { Activity, ActivityContext, AnyActivity, CompensationContext } from '../job/activity/activity.ts'
import type { SignalName, SignalPayload, SignalSchemas } from '../job/activity/signals.ts'
import type { ExecutionStatus, Failure } from '../job/execution/execution.ts'
import { requireName } from '../job/name.ts'
import type { AnyJobType, JobType } from '../job/type/job-type.ts'
import { requireInteger } from '../time/require.ts'
import { type CrashPlan, DurableWorld, type Mock } from './durable-world.ts'
import type { TestOptions } from './test-pontual.ts'
import type { ActivityWork } from './watched-jobs.ts'

/** Options of the application that runs it: `jobs` for children, `activities` for those with a queue of their own, `store`, `startAt`, `seed` … */
export interface DurableTestOptions extends TestOptions {}

/** How a durable job stood when its test was over. */
export interface DurableResult<Output> {
  readonly executionId: string
  /** Final, or what it waits in: WAITING, DIVERGED. */
  readonly status: ExecutionStatus
  /** undefined unless it has succeeded. */
  readonly output: Output | undefined
  readonly error: Failure | null
  /** What is recorded of it, in the order of its calls. */
  readonly history: readonly HistoryEntryView[]
  /** How often each activity was performed, by its id; what undoes one stands as `compensation:` and its id. */
  readonly effects: Readonly<Record<string, number>>
  /** How many nodes were lost on the way. */
  readonly crashes: number
}

/** What a test knows beyond the result. */
export interface PlayedRun<Output> {
  readonly result: DurableResult<Output>
  /** What must not have happened, in words. */
  readonly faults: readonly string[]
}

type PlayStep = (world: DurableWorld, executionId: string) => Promise<unknown>

/** A run of a durable job in a test: say what happens to it, then await it. */
export class DurableTest<Output, Signals extends SignalSchemas = SignalSchemas>
  implements PromiseLike<DurableResult<Output>>
{
  readonly #job: AnyJobType
  readonly #input: unknown
  readonly #options: DurableTestOptions
  readonly #mocks = new Map<string, Mock>()
  readonly #mocked: AnyActivity[] = []
  readonly #steps: PlayStep[] = []
  readonly #crashAfter = new Set<number>()
  #played: Promise<PlayedRun<Output>> | null = null

  /** @internal */
  constructor(job: AnyJobType, input: unknown, options: DurableTestOptions) {
    this.#job = job
    this.#input = input
    this.#options = options
  }

  /**
   * Does something else in place of an activity's work, in this test only; checks of its input and output stay. What undoes it does nothing then, unless
   * that is given too.
   */
  mock<Input, ActivityOutput, Payload>(
    activity: Activity<Input, ActivityOutput, Payload>,
    perform: (input: Input, context: ActivityContext) => NoInfer<ActivityOutput> | Promise<NoInfer<ActivityOutput>>,
    compensate?: (input: Input, context: CompensationContext<ActivityOutput>) => unknown,
  ): this
  /** The same for what `ctx.run` is given by name. */
  mock(name: string, perform: (context: ActivityContext) => unknown): this
  mock(
    activity: AnyActivity | string,
    perform: (...given: never[]) => unknown,
    compensate: (...given: never[]) => unknown = () => undefined,
  ): this {
    if (typeof perform !== 'function') {
      throw new InvalidInputError('option.invalid', `mock takes a function, got ${quote(perform)}.`, { name: 'mock' })
    }
    const id = typeof activity === 'string' ? requireName(activity, 'mock') : requireName(activity?.id, 'mock')
    const isNamed = typeof activity === 'string'
    if (!isNamed) this.#mocked.push(activity)
    this.#mocks.set(id, ({ kind, input, context }: ActivityWork) => {
      const work = (kind === 'activity' ? perform : compensate) as (...given: unknown[]) => unknown
      return isNamed ? work(context) : work(input, context)
    })
    return this
  }

  /** Moves the clock on; what is due on the way happens in order. */
  advance(by: Duration): this {
    const byMs = parseDuration(by, 'by')
    return this.#then((world) => world.advance(byMs))
  }

  /** Sends it a message. */
  signal<Name extends SignalName<Signals>>(
    name: Name,
    ...[payload]: TestArguments<SignalPayload<Signals, Name>, never>
  ): this {
    return this.#then((world, id) => world.client.signal<SignalSchemas, string>(id, name, payload))
  }

  cancel(reason: string | null = null): this {
    return this.#then((world, id) => world.client.cancel(id, reason))
  }

  /**
   * Drops the node as by `kill -9`, once the store has so many results of calls, and before the node hears that it has the last one; another one takes over at once.
   * May be called several times.
   */
  crashAfter(records: number): this {
    this.#requireUnplayed()
    this.#crashAfter.add(requireInteger(records, 'crashAfter', 1, 1_000_000))
    return this
  }

  /* oxlint-disable unicorn/no-thenable -- to await it is what runs it */
  // biome-ignore lint/suspicious/noThenProperty: to await it is what runs it
  then<A = DurableResult<Output>, B = never>(
    onKept?: ((result: DurableResult<Output>) => A | PromiseLike<A>) | null,
    onBroken?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#played ??= this.play(this.#crashPlan())
    return this.#played.then(({ result }) => result).then(onKept, onBroken)
  }

  /** @internal */
  async play(crashes: CrashPlan): Promise<PlayedRun<Output>> {
    const { jobs = [], activities = [], ...options } = this.#options
    const world = new DurableWorld({
      ...options,
      jobs: [this.#job, ...jobs.filter(({ id }) => id !== this.#job.id)],
      activities: [...activities, ...this.#mocked.filter(({ id, rules }) => rules.queue && !has(activities, id))],
      mocks: this.#mocks,
      crashes,
    })
    try {
      await world.open()
      const { id } = await world.client.enqueue<unknown>(this.#job, this.#input)
      await world.settle()
      for (const step of this.#steps) {
        await step(world, id)
        await world.settle()
      }
      return { result: await resultOf<Output>(world, id), faults: world.effects.faults }
    } finally {
      await world.close()
    }
  }

  #crashPlan(): CrashPlan {
    let records = 0
    return {
      afterWrite: ({ entries }) => {
        const before = records
        records += entries.filter(({ status }) => status !== 'RUNNING').length
        return [...this.#crashAfter].some((at) => before < at && at <= records)
      },
    }
  }

  #then(step: PlayStep): this {
    this.#requireUnplayed()
    this.#steps.push(step)
    return this
  }

  #requireUnplayed(): void {
    if (!this.#played) return
    throw new PontualError('testing.played', 'This run is over: say what happens to it before it is awaited.')
  }
}

function has(activities: readonly AnyActivity[], id: string): boolean {
  return activities.some((each) => each.id === id)
}

async function resultOf<Output>(world: DurableWorld, executionId: string): Promise<DurableResult<Output>> {
  const { client, effects, crashes } = world
  const execution = await client.execution(executionId)
  const history = await client.history(executionId)
  return {
    executionId,
    status: execution?.status ?? 'QUEUED',
    output: execution?.output as Output | undefined,
    error: execution?.error ?? null,
    history,
    effects: effects.counts,
    crashes,
  }
}

/** An input, where the job takes one, and options. */
export type TestArguments<Payload, Options> = undefined extends Payload
  ? [input?: Payload, options?: Options]
  : [input: Payload, options?: Options]

/**
 * Runs a durable job in a test: the engine of production, a store in memory, and a clock that you move. Nothing happens before it is awaited.
 *
 * ```ts
 * const { status, output, effects } = await runDurable(order, { id: 'o-1' })
 *   .mock(charge, () => ({ transactionId: 't-1' }))
 *   .crashAfter(2)
 *   .advance('30d')
 * expect(effects).toEqual({ reserve: 1, charge: 1, ship: 1 })
 * ```
 */
export function runDurable<Input, Output, Payload, Signals extends SignalSchemas>(
  job: JobType<Input, Output, Payload, Signals>,
  ...[input, options = {}]: TestArguments<NoInfer<Payload>, DurableTestOptions>
): DurableTest<Output, Signals> {
  return new DurableTest<Output, Signals>(requireDurable(job), input, options)
}

export function requireDurable(job: AnyJobType): AnyJobType {
  if (job?.isDurable) return job
  throw new InvalidInputError('option.invalid', `job must be durable, got ${quote(job?.id ?? job)}.`, { name: 'job' })
}
