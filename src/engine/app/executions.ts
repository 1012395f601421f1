import type { Env } from '../../clock.ts'
import { decodeValue } from '../../durable/codec.ts'
import { type Duration, parseDuration } from '../../duration.ts'
import { InvalidInputError, PontualError, quote } from '../../errors.ts'
import { EXECUTION_STATUSES, type Execution, type ExecutionStatus, isFinal } from '../../job/execution/execution.ts'
import { storableText } from '../../job/execution/payload.ts'
import { type UnreadableCode, unreadableCode } from '../../job/execution/unreadable.ts'
import type { AnyJobType } from '../../job/type/job-type.ts'
import { Batcher } from '../../store/batcher.ts'
import type { CancelResult, ChainRecord } from '../../store/executions.ts'
import type { EngineStore, TenantStore } from '../../store/store.ts'
import { requireBoolean, requireInteger, requireOneOf, requireOptions } from '../../time/require.ts'
import { requireUuid } from '../../uuid.ts'
import { type RepeatRequest, repeatedExecution } from '../lifecycle/request-execution.ts'
import type { StoreTime } from '../node/store-time.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { inEnqueueSpan, withTrace } from '../telemetry/tracing.ts'
import type { Pauses } from './pauses.ts'

/** An execution with its input and output as data. */
export interface ExecutionView<Output = unknown> extends Omit<Execution, 'payload' | 'output'> {
  readonly input: unknown
  /** undefined unless it has succeeded. */
  readonly output: Output | undefined
  /** Why there is no input to be seen, where there was one; absent for most. */
  readonly inputError?: UnreadableCode
  /** And why no output. */
  readonly outputError?: UnreadableCode
}

export function viewOf({ payload, output, ...execution }: Execution): ExecutionView {
  const [inputError, outputError] = [unreadableCode(payload), unreadableCode(output)]
  return {
    ...execution,
    input: inputError ? undefined : decodeValue(payload),
    output: outputError ? undefined : decodeValue(output),
    ...(inputError && { inputError }),
    ...(outputError && { outputError }),
  }
}

/** Which executions are asked for; absent: any. */
export interface ExecutionQuery {
  readonly tenant?: string | undefined
  readonly jobId?: string | undefined
  readonly jobType?: string | undefined
  readonly statuses?: readonly ExecutionStatus[] | undefined
  /** Default 100, at most 1,000. */
  readonly limit?: number | undefined
  /** Continue after this id, towards older ones. */
  readonly before?: string | undefined
}

/** How long an execution is waited for. */
export interface WaitOptions {
  /** Ends the wait, which then rejects with its reason. */
  readonly signal?: AbortSignal | undefined
  /** How long to wait at most. Default: for as long as it takes. */
  readonly timeout?: Duration | undefined
}

/** How an execution is cancelled. */
export interface CancelOptions {
  /** Ends a durable execution at once, without what it does to clean up. Default false. */
  readonly force?: boolean | undefined
}

export interface ExecutionsOptions {
  readonly env: Env
  readonly types: ReadonlyMap<string, AnyJobType>
  readonly store: TenantStore
  readonly time: StoreTime
  readonly telemetry: Telemetry
  readonly pauses: Pauses
  /** What is ready, or what runs, has changed. */
  onChanged(): void
}

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1_000
const MAX_CHAIN = 10_000
const MAX_REASON_LENGTH = 1_000
const PURGE_BATCH = 5_000
const LOOK_AGAIN_MS = 50
const LONGEST_LOOK_MS = 1_000

/** Reads of executions by id, of which those at the same time share a round trip. */
export function batchedReads({ executions }: Pick<TenantStore, 'executions'>): Batcher<string, Execution | null> {
  const flush = async (ids: readonly string[]) => {
    const found = await executions.find([...new Set(ids)])
    const byId = new Map(found.map((execution) => [execution.id, execution]))
    return ids.map((id) => byId.get(id) ?? null)
  }
  return new Batcher({ flush })
}

/** What may be asked of executions, and done to them. */
export class Executions {
  readonly #options: ExecutionsOptions
  /** Many who look at the same time share a round trip: thousands who wait must not keep a node from its work. */
  readonly #looks: Batcher<string, Execution | null>

  constructor(options: ExecutionsOptions) {
    this.#options = options
    this.#looks = batchedReads(options.store)
  }

  async find(id: string): Promise<ExecutionView | null> {
    const execution = await this.#looks.add(requireUuid(id, 'Execution id'))
    return execution ? viewOf(execution) : null
  }

  async list(query: ExecutionQuery): Promise<ExecutionView[]> {
    requireOptions(query, 'Execution query', ['tenant', 'jobId', 'jobType', 'statuses', 'limit', 'before'])
    const { limit = DEFAULT_LIMIT, ...filter } = query
    for (const status of filter.statuses ?? []) requireOneOf(status, 'status', EXECUTION_STATUSES)
    requireInteger(limit, 'limit', 1, MAX_LIMIT)
    if (filter.before !== undefined) requireUuid(filter.before, 'before')
    if (filter.jobId !== undefined) requireUuid(filter.jobId, 'jobId')
    return (await this.#options.store.executions.list({ ...filter, limit })).map(viewOf)
  }

  /** Ends an execution that has not ended. From then on no attempt starts, and none can record a result. A durable one that has begun cleans up first. */
  async cancel(id: string, reason: string | null, options: CancelOptions = {}): Promise<CancelResult> {
    const { force = false } = requireOptions(options, 'Cancel options', ['force'])
    const executionId = requireUuid(id, 'Execution id')
    requireBoolean(force, 'force')
    const [result = 'unknown'] = await this.#options.store.executions.cancel([
      { id: executionId, reason: reason === null ? null : storableText(reason, MAX_REASON_LENGTH), force },
    ])
    if (result === 'cancelled') this.#options.telemetry.tell('execution.cancelled', { executionId })
    if (result === 'cancelled' || result === 'cancelling') this.#options.onChanged()
    return result
  }

  /** Runs a failed, timed out or cancelled execution once more, as a new one. */
  async retry(id: string, request: RepeatRequest = {}): Promise<string> {
    const { store, time, env, types } = this.#options
    const [execution] = await store.executions.find([requireUuid(id, 'Execution id')])
    if (!execution) throw new UnknownExecutionError(id)
    if (!isFinal(execution.status) || execution.status === 'SUCCESS') {
      throw statusConflict(id, execution.status, 'retry')
    }
    const [job] = execution.jobId === null ? [] : await store.jobs.find([execution.jobId])
    const body = repeatedExecution({ env, types }, execution, job, time.now(), request)
    const { after, jobType, jobId, tenant } = execution
    await inEnqueueSpan({ jobType }, async ({ trace, setId }) => {
      setId(body.id)
      await store.executions.enqueue([
        { body: withTrace(body, trace), runAt: null, ...(after.length > 0 && { after }) },
      ])
    })
    this.#options.telemetry.tell('execution.queued', { executionId: body.id, jobType, jobId, tenant })
    this.#options.onChanged()
    return body.id
  }

  /** Waits until an execution has ended. */
  async waitFor(id: string, options: WaitOptions = {}): Promise<ExecutionView> {
    const { signal, timeout } = requireOptions(options, 'Wait options', ['signal', 'timeout'])
    const { env, pauses } = this.#options
    const timeoutMs = timeout === undefined ? Number.POSITIVE_INFINITY : parseDuration(timeout, 'timeout')
    const startedAt = env.monotonic()
    for (let pauseMs = LOOK_AGAIN_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_LOOK_MS)) {
      signal?.throwIfAborted()
      const execution = await this.find(id)
      if (!execution) throw new UnknownExecutionError(id)
      if (isFinal(execution.status)) return execution
      const leftMs = startedAt + timeoutMs - env.monotonic()
      if (leftMs <= 0) {
        const message = `Execution "${id}" has not ended within ${timeoutMs} ms; it is ${execution.status}.`
        throw new PontualError('wait.timeout', message, { executionId: id, status: execution.status, timeoutMs })
      }
      await pauses.pause(Math.min(pauseMs, leftMs), signal)
    }
  }

  /** The executions that hang together with one; null where there is none. */
  async chain(id: string): Promise<ChainRecord | null> {
    return await this.#options.store.executions.chain(requireUuid(id, 'Execution id'), MAX_CHAIN)
  }
}

/** Removes executions of all tenants that ended longer ago than this. Returns their number. */
export async function purgeExecutions(store: EngineStore, time: StoreTime, retentionMs: number): Promise<number> {
  const { now } = await time.observe(() => store.pulse())
  let count = 0
  for (;;) {
    const purged = await store.executions.purge(now - retentionMs, PURGE_BATCH)
    count += purged
    if (purged < PURGE_BATCH) return count
  }
}

/** There is no such execution. */
export class UnknownExecutionError extends PontualError {
  constructor(id: string) {
    super('execution.unknown', `There is no execution "${id}".`, { executionId: id })
  }
}

/** A caller that names a job type reads or sends what that type says, so the execution must be of it. */
export function requireOfType({ id, jobType }: Pick<Execution, 'id' | 'jobType'>, type: { readonly id: string }): void {
  if (type.id === jobType) return
  const message = `Execution ${quote(id)} is of job type ${quote(jobType)}, not ${quote(type.id)}.`
  throw new InvalidInputError('execution.other_type', message, { executionId: id, jobType, received: type.id })
}

const NEEDS = {
  retry: 'retry needs FAILED, TIMEOUT or CANCELLED',
  signal: 'a signal needs one that has not ended',
  restart: 'restart needs one that has ended, or is DIVERGED',
  resume: 'resume needs DIVERGED',
  cancel: 'only one that has not ended can be cancelled',
  erase: 'only one that has ended can be erased',
} as const

/** What cannot be done with an execution of any status. */
type ExecutionNeed = keyof typeof NEEDS

/** The status of an execution does not allow what was asked. */
export function statusConflict(id: string, status: ExecutionStatus, need: ExecutionNeed): PontualError {
  const message = `Execution "${id}" is ${status}; ${NEEDS[need]}.`
  return new PontualError('execution.status_conflict', message, { executionId: id, status, need })
}
