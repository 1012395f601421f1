// Users may compile without this library, and then `await using` has no meaning in our declarations.
/// <reference lib="esnext.disposable" preserve="true" />
import { type Env, systemEnv } from './clock.ts'
import { type Duration, parseDuration } from './duration.ts'
import type { App } from './engine/app/app.ts'
import type { EnqueueArguments, EnqueueOptions } from './engine/app/enqueue-options.ts'
import {
  type EnqueueChainOptions,
  type Enqueued,
  type EnqueuedStep,
  naming,
  namingFirst,
  patienceOf,
} from './engine/app/enqueuer.ts'
import {
  type CancelOptions,
  type ExecutionQuery,
  type ExecutionView,
  purgeExecutions,
  requireOfType,
  type WaitOptions,
} from './engine/app/executions.ts'
import { type Health, unopened } from './engine/app/health.ts'
import { type JobName, keyOf, type PauseOptions, type ScheduleJobOptions } from './engine/app/jobs.ts'
import { Lifecycle } from './engine/app/lifecycle.ts'
import { type LogOptions, streamLogs } from './engine/app/log-stream.ts'
import { type AppOptions, checkPontualOptions, type PontualOptions } from './engine/app/options.ts'
import { listTenants, setTenant, type TenantOptions } from './engine/app/tenants.ts'
import type { RestartOptions, SendOptions } from './engine/durable/durable-executions.ts'
import type { HistoryEntryView } from './engine/durable/history-view.ts'
import { Punctuality } from './engine/running/punctuality.ts'
import type { ClearCacheOptions } from './engine/running/result-cache.ts'
import type { EngineEvent, EngineEvents, ExecutionFacts } from './engine/telemetry/events.ts'
import type { SignalName, SignalPayload, SignalSchemas } from './job/activity/signals.ts'
import type { Chain } from './job/execution/chain.ts'
import type { Job } from './job/job.ts'
import type { RequiredInput } from './job/schedule-options.ts'
import type { JobType } from './job/type/job-type.ts'
import type { StoredCalendar } from './store/calendars.ts'
import type { CancelResult, ChainRecord } from './store/executions.ts'
import type { JobFilter } from './store/jobs.ts'
import type { LogLine } from './store/logs.ts'
import type { NodeRecord } from './store/nodes.ts'
import type { OccurrenceRecord } from './store/occurrences.ts'
import type { TenantFilter, TenantRecord } from './store/tenants.ts'
import type { Calendar } from './time/calendars/calendar.ts'
import type { Instant } from './time/instant.ts'
import { requireUuid } from './uuid.ts'

/** A job type, as whoever asks for a run sees it. */
type Takes<Payload, Output = unknown, Signals extends SignalSchemas = SignalSchemas> = JobType<
  unknown,
  Output,
  Payload,
  Signals
>

/** A job type, as the caller that reads an output sees it. */
type Returns<Output> = Pick<JobType<never, Output, never>, 'id' | 'run'>

/** An execution: its id, or what `enqueue` has returned, which knows the types of its output and signals. */
type ExecutionRef<Output, Signals extends SignalSchemas = SignalSchemas> = string | Enqueued<Output, Signals>

/** A payload, which may be left out if the signal needs none, and options. */
type SignalArguments<Signals extends SignalSchemas, Payload> = undefined extends Payload
  ? [payload?: Payload, options?: SendOptions<Signals>]
  : [payload: Payload, options?: SendOptions<Signals>]

/** An execution whose handler ignored its signal and still runs. */
export type StillRunning = ExecutionFacts

/** What a user holds: jobs and executions of one store and, once started, a node that runs them. */
export class Pontual implements AsyncDisposable {
  readonly #options: AppOptions
  readonly #lifecycle: Lifecycle

  /** @internal */
  constructor(options: AppOptions) {
    this.#options = options
    this.#lifecycle = new Lifecycle(options)
  }

  /** Opens the store, brings declared jobs in line, looks for what was missed, and begins to fire and to run. */
  async start(): Promise<void> {
    await this.#lifecycle.start()
  }

  /**
   * Stops claiming at once, lets running work finish for the shutdown grace, then aborts it. Handlers that end when their signal is aborted are given back
   * unspent. Resolves with those that still run two seconds later: the lease of this node is then shortened to two seconds and no longer renewed, so end
   * the process within that time. Other nodes run their executions again after it, and the attempt does not count. The store is closed: it takes a start to
   * use it again.
   */
  stop(): Promise<readonly StillRunning[]> {
    return this.#lifecycle.stop()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  /** Creates a job, or changes the one of that name. */
  async schedule<Payload>(
    type: Takes<Payload> | string,
    options: ScheduleJobOptions<Payload> & RequiredInput<Payload>,
  ): Promise<Job> {
    return await (await this.#ready()).jobs.schedule(type, options)
  }

  /** A job that runs once, at an instant; one that is past is refused. */
  async scheduleOnce<Payload>(
    type: Takes<Payload> | string,
    runAt: Instant,
    options: Omit<ScheduleJobOptions<Payload>, 'trigger'> & RequiredInput<Payload>,
  ): Promise<Job> {
    return await (await this.#ready()).jobs.scheduleOnce(type, runAt, options)
  }

  /** Runs a job type once, now or later. Resolves when that is stored: from then on it is not lost. */
  async enqueue<Payload, Output = unknown, Signals extends SignalSchemas = SignalSchemas>(
    type: Takes<Payload, Output, Signals> | string,
    ...[input, options]: EnqueueArguments<NoInfer<Payload>>
  ): Promise<Enqueued<Output, Signals>> {
    const { enqueuer } = await naming(type, this.#ready(options))
    return (await enqueuer.enqueue(type, input, options)) as Enqueued<Output, Signals>
  }

  /** Stores the steps of a chain together, in one transaction. The answers stand in the order in which the steps were written. */
  async enqueueChain(chain: Chain, options?: EnqueueChainOptions): Promise<EnqueuedStep[]> {
    const { enqueuer } = await namingFirst(chain, this.#ready(options))
    return await enqueuer.enqueueChain(chain, options)
  }

  /** All executions that hang together with one, before and behind it, up to 10,000, and how; null where there is no such execution. */
  async chain(executionId: string): Promise<ChainRecord | null> {
    return await (await this.#ready()).executions.chain(executionId)
  }

  /** Runs a job type once for each input, in few round trips. All are stored, or an error is thrown. */
  async enqueueMany<Payload, Output = unknown, Signals extends SignalSchemas = SignalSchemas>(
    type: Takes<Payload, Output, Signals> | string,
    inputs: readonly NoInfer<Payload>[],
    options?: EnqueueOptions,
  ): Promise<Enqueued<Output, Signals>[]> {
    const { enqueuer } = await naming(type, this.#ready(options))
    return (await enqueuer.enqueueMany(type, inputs, options)) as Enqueued<Output, Signals>[]
  }

  /** A stored job, or null. */
  async job(name: JobName): Promise<Job | null> {
    return await (await this.#ready()).jobs.find(keyOf(name))
  }

  /** Stored jobs, by tenant and name, at most 1,000; `after` goes on from there. */
  async jobs(filter?: Partial<JobFilter>): Promise<Job[]> {
    return await (await this.#ready()).jobs.list(filter)
  }

  /** Stops a job from firing by itself, for good or until an instant. What it misses is skipped, and that is recorded. */
  async pause(name: JobName, reason: string | null = null, options?: PauseOptions): Promise<Job> {
    return await (await this.#ready()).jobs.pause(keyOf(name), reason, options)
  }

  /** Lets a paused or faulted job fire again, from now on. */
  async resume(name: JobName): Promise<Job> {
    return await (await this.#ready()).jobs.resume(keyOf(name))
  }

  /** Runs a job now, beside its schedule. Returns the id of the execution. */
  async runNow(name: JobName, input?: unknown): Promise<string> {
    return await (await this.#ready()).jobs.runNow(keyOf(name), input)
  }

  /** Removes a job with its executions and all that is known of them. Returns whether there was one. */
  async remove(name: JobName): Promise<boolean> {
    return await (await this.#ready()).jobs.remove(keyOf(name))
  }

  /** What was decided about each occurrence of a job from one instant up to another. */
  async ledger(name: JobName, from: Instant, to: Instant): Promise<OccurrenceRecord[]> {
    return await (await this.#ready()).jobs.ledger(keyOf(name), from, to)
  }

  /** An execution, or null. The output has the type that the handle or the job type says. */
  async execution<Output = unknown>(
    execution: ExecutionRef<Output>,
    type?: Returns<Output>,
  ): Promise<ExecutionView<Output> | null> {
    const found = await (await this.#ready()).executions.find(idOf(execution))
    return found && viewAs<Output>(found, type)
  }

  /** Executions, the newest first. */
  async executions(query: ExecutionQuery = {}): Promise<ExecutionView[]> {
    return await (await this.#ready()).executions.list(query)
  }

  /** Ends an execution that is queued, waiting or running. A durable one that has begun ends itself, and what it compensates is undone first: its answer is `cancelling`. */
  async cancel(executionId: string, reason: string | null = null, options?: CancelOptions): Promise<CancelResult> {
    return await (await this.#ready()).executions.cancel(executionId, reason, options)
  }

  /**
   * Sends a message to a durable execution, which waits for it now or later. Resolves when it is stored: from then on it is not lost. Name and payload have the types
   * that the handle or the option `type` says, if the job type declares its signals. A signal that it does not declare is refused.
   */
  async signal<Signals extends SignalSchemas = SignalSchemas, Name extends SignalName<Signals> = SignalName<Signals>>(
    execution: ExecutionRef<unknown, Signals>,
    name: Name,
    ...[payload, options]: SignalArguments<Signals, SignalPayload<Signals, Name>>
  ): Promise<void> {
    await (await this.#ready()).durable.signal(idOf(execution), name, payload, options)
  }

  /** What is recorded of a durable execution, in the order of its calls. */
  async history(executionId: string): Promise<HistoryEntryView[]> {
    return await (await this.#ready()).durable.history(executionId)
  }

  /** Runs a durable execution again from one of its calls on. Returns the id: a new one where it had ended, its own where it is DIVERGED. */
  async restart(executionId: string, options: RestartOptions): Promise<string> {
    return await (await this.#ready()).durable.restart(executionId, options)
  }

  /** Lets a durable execution try again that is DIVERGED. Nodes do this by themselves when they start, but for those that make no progress. */
  async resumeExecution(executionId: string): Promise<void> {
    await (await this.#ready()).durable.resume(executionId)
  }

  /** Runs an execution that did not succeed once more, as a new one, whose id is returned. */
  async retry(executionId: string): Promise<string> {
    return await (await this.#ready()).executions.retry(executionId)
  }

  /** Waits until an execution has ended. The output has the type that the handle or the option `type` says. */
  async waitFor<Output = unknown>(
    execution: ExecutionRef<Output>,
    { type, ...options }: WaitOptions & { readonly type?: Returns<Output> | undefined } = {},
  ): Promise<ExecutionView<Output>> {
    return viewAs<Output>(await (await this.#ready()).executions.waitFor(idOf(execution), options), type)
  }

  /** What the handler of an execution has logged; with `follow` also what it is going to log. */
  async *logs(executionId: string, options?: LogOptions): AsyncGenerator<LogLine, void, undefined> {
    const { calls: store, pauses } = await this.#ready()
    yield* streamLogs(store, pauses, requireUuid(executionId, 'Execution id'), options)
  }

  /** Creates or replaces a calendar of times when nothing fires. */
  async setCalendar(name: string, calendar: Calendar, tenant?: string): Promise<void> {
    await (await this.#ready()).setCalendar(name, calendar, tenant)
  }

  /** The calendars of a tenant, by name. */
  async calendars(tenant?: string): Promise<StoredCalendar[]> {
    return await (await this.#ready()).calls.calendars.list(tenant ?? this.#options.tenant)
  }

  /** Removes a calendar. Jobs that still name it are FAULTED when they are due. Returns whether there was one. */
  async removeCalendar(name: string, tenant?: string): Promise<boolean> {
    const { calls } = await this.#ready()
    return (await calls.calendars.remove([{ tenant: tenant ?? this.#options.tenant, name }])) > 0
  }

  /** When a job fires next, as it stands now: the first few times. */
  async upcoming(name: JobName, limit = 10): Promise<number[]> {
    return await (await this.#ready()).jobs.upcoming(keyOf(name), limit)
  }

  /** Changes how many executions of a tenant may run at once, over all nodes. */
  async setTenant(name: string, options: TenantOptions): Promise<void> {
    await setTenant((await this.#ready()).calls, name, options)
  }

  /** Tenants with their limits and how many executions of each run, by name, at most 1,000. */
  async tenants(filter: Partial<TenantFilter> = {}): Promise<TenantRecord[]> {
    return await listTenants((await this.#ready()).calls, filter)
  }

  /** How many executions wait and run. */
  async counts(): Promise<Readonly<Record<'QUEUED' | 'WAITING' | 'RUNNING' | 'DIVERGED', number>>> {
    return await (await this.#ready()).calls.executions.count()
  }

  /** Calls whenever something happens in this process. Returns how to stop. Over all processes: ask for executions, or follow their logs. */
  on<Name extends EngineEvent>(event: Name, listener: (facts: EngineEvents[Name]) => void): () => void {
    return this.#options.telemetry.on(event, listener)
  }

  /** The nodes of this store, also those that are gone and whose work nobody has taken yet. */
  async nodes(): Promise<NodeRecord[]> {
    return await (await this.#ready()).calls.nodes.list()
  }

  /**
   * Gives back what nodes hold that are gone and have been silent for so long. Nodes do this by themselves every few seconds; this is for doing it by
   * hand. A node that lives is never stale, however long its work takes. Returns how many executions.
   */
  async releaseStale(staleness: Duration = 0): Promise<number> {
    return await (await this.#ready()).releaseStale(parseDuration(staleness, 'staleness'))
  }

  /** Removes executions that ended longer ago than this, with their attempts and logs. Returns how many. */
  async purgeExecutions(retention: Duration): Promise<number> {
    const { calls, deps } = await this.#ready()
    return await purgeExecutions(calls, deps.time, parseDuration(retention, 'retention'))
  }

  /** Removes the kept results of a job type, or the one for an input. Returns how many. */
  async clearCache<Payload>(type: Takes<Payload> | string, options?: ClearCacheOptions<Payload>): Promise<number> {
    return await (await this.#ready()).clearCache(type, options)
  }

  /** Whether all is well, and the figures that say so. Never throws. */
  async health(): Promise<Health> {
    try {
      const isStopping = this.isStopping
      return await (await this.opened()).health(isStopping)
    } catch (error) {
      return unopened(this.#options.settings.slots, error, new Punctuality().report())
    }
  }

  /** @internal */
  get env(): Env {
    return this.#options.env
  }

  /** @internal How long running work may take once it is told to stop. */
  get graceMs(): number {
    return this.#options.settings.graceMs
  }

  /** @internal Whether it has been told to stop, and has not yet. */
  get isStopping(): boolean {
    return this.#lifecycle.isStopping
  }

  /** @internal What the service builds on. */
  opened(): Promise<App> {
    return this.#lifecycle.open()
  }

  /** What calls build on: they wait for a store that is unavailable. */
  async #ready(options?: Parameters<typeof patienceOf>[0]): Promise<App> {
    return await this.#lifecycle.openForCall(patienceOf(options))
  }
}

function idOf(execution: ExecutionRef<unknown>): string {
  return typeof execution === 'object' && execution !== null ? execution.id : execution
}

/** The type of the output is that of the job type, so the execution has to be of that job type. */
function viewAs<Output>(view: ExecutionView, type: Returns<Output> | undefined): ExecutionView<Output> {
  if (type !== undefined) requireOfType(view, type)
  return view as ExecutionView<Output>
}

/**
 * A scheduler on a store.
 *
 * ```ts
 * const app = pontual({ store: postgres(process.env.DATABASE_URL), jobs: [importInvoices] })
 * await app.start()
 * ```
 */
export function pontual(options: PontualOptions): Pontual {
  return pontualIn(options, { env: systemEnv })
}

/** The same, with time and chance of the caller's choice. */
export function pontualIn(options: PontualOptions, deps: { readonly env: Env; readonly now?: () => number }): Pontual {
  return new Pontual({ ...checkPontualOptions(options, deps.env), ...deps })
}
