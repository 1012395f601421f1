import type { Env } from '../../clock.ts'
import { decodeValue, encodeValue } from '../../durable/codec.ts'
import { InvalidInputError, PontualError, quote } from '../../errors.ts'
import type { SignalSchemas } from '../../job/activity/signals.ts'
import { schemaOfSignal, unknownSignal } from '../../job/activity/signals.ts'
import { type Execution, type ExecutionBody, isFinal } from '../../job/execution/execution.ts'
import type { Job } from '../../job/job.ts'
import { requireName } from '../../job/name.ts'
import type { AnyJobType } from '../../job/type/job-type.ts'
import type { StandardSchema } from '../../job/type/standard-schema.ts'
import { validate } from '../../job/type/standard-schema.ts'
import type { NewAuditEntry } from '../../store/audit.ts'
import { Batcher } from '../../store/batcher.ts'
import type { NewSignal, SignalAnswer } from '../../store/histories.ts'
import type { TenantStore } from '../../store/store.ts'
import { invalidOption, requireInteger, requireOptions } from '../../time/require.ts'
import { requireUuid } from '../../uuid.ts'
import { batchedReads, requireOfType, statusConflict, UnknownExecutionError } from '../app/executions.ts'
import type { KnownTypes } from '../app/known-types.ts'
import { type RepeatRequest, repeatedExecution, requireSameAsApproved } from '../lifecycle/request-execution.ts'
import type { StoreTime } from '../node/store-time.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { type HistoryEntryView, viewOfEntry } from './history-view.ts'

/** A job type, as far as a caller that sends a signal needs to know it. */
interface SignalledType<Signals extends SignalSchemas = SignalSchemas> {
  readonly id: string
  readonly signals: Signals | null
}

interface SentSignal {
  readonly name: string
  /** The job type that the caller names. */
  readonly type: SignalledType | undefined
  readonly find: () => Promise<Pick<Execution, 'id' | 'jobType'> | null>
}

interface CheckDeps {
  readonly types: ReadonlyMap<string, AnyJobType>
  readonly knownTypes: KnownTypes
}

/**
 * The declared schema of a signal that is about to be sent; null if its payload is not checked here. Throws if its job type declares no such signal: the type that the
 * caller names decides alone. Otherwise a signal is refused only if neither this process nor an active node accepts it, since one of them may run newer code.
 */
async function schemaOfSent(
  { types, knownTypes }: CheckDeps,
  { name, type, find }: SentSignal,
): Promise<StandardSchema<unknown, unknown> | null> {
  if (type === undefined && !(await knownTypes.declareSignals())) return null
  const execution = await find()
  if (!execution) return null
  const { id: executionId, jobType } = execution
  if (type !== undefined) requireOfType(execution, type)
  const mine = type ?? types.get(jobType)
  if (mine?.signals === null) return null
  const declared = mine?.signals ?? {}
  const schema = schemaOfSignal(declared, name)
  if (schema) return schema
  const elsewhere = type === undefined ? await knownTypes.signalsOf(jobType, name) : undefined
  const isUndecided = elsewhere === undefined && mine === undefined
  if (isUndecided || elsewhere === null || elsewhere?.has(name)) return null
  throw unknownSignal({ executionId, jobType }, name, new Set([...Object.keys(declared), ...(elsewhere ?? [])]))
}

/** No history is longer: places are stored in 32 bits. */
export const LAST_PLACE = 2_147_483_647

/** How a signal is sent. */
export interface SendOptions<Signals extends SignalSchemas = SignalSchemas> {
  /** The same key for the same execution means the same signal: it is given once, however often it is sent. */
  readonly idempotencyKey?: string | undefined
  /** The job type of the execution: its signals and their payloads are then typed, and another job type is refused. */
  readonly type?: SignalledType<Signals> | undefined
}

/** Parts of a signal that only the service has. */
interface SignalRequest {
  readonly execution?: Execution | undefined
  readonly audit?: NewAuditEntry | undefined
}

/** From where a durable execution runs again. */
export interface RestartOptions {
  /** The place of a call, as `history` tells it, or the id of an activity: its first call. That call is made again, and all that follow. */
  readonly from: number | string
}

export interface DurableExecutionsOptions {
  readonly env: Env
  readonly types: ReadonlyMap<string, AnyJobType>
  readonly store: TenantStore
  readonly time: StoreTime
  readonly telemetry: Telemetry
  readonly knownTypes: KnownTypes
  /** What is ready, or what runs, has changed. */
  onChanged(): void
}

/** What may be asked of durable executions, and done to them. */
export class DurableExecutions {
  readonly #options: DurableExecutionsOptions
  readonly #signals: Batcher<NewSignal, SignalAnswer>
  readonly #reads: Batcher<string, Execution | null>

  constructor(options: DurableExecutionsOptions) {
    this.#options = options
    this.#signals = new Batcher({ flush: (signals) => options.store.histories.signal(signals) })
    this.#reads = batchedReads(options.store)
  }

  /** Resolves when the signal is stored: from then on it is not lost. */
  async signal(
    id: string,
    name: string,
    payload: unknown,
    options: SendOptions = {},
    { execution: known, audit }: SignalRequest = {},
  ): Promise<void> {
    const { idempotencyKey, type } = requireOptions(options, 'Signal options', ['idempotencyKey', 'type'])
    if (type !== undefined && typeof type?.id !== 'string') throw invalidOption(type, 'type', 'what job(…) gives')
    const executionId = requireUuid(id, 'Execution id')
    const thing = `Payload of signal ${quote(requireName(name, 'Signal name'))}`
    const encoded = encodeValue(payload, thing)
    const find = async () => known ?? (await this.#reads.add(executionId))
    const schema = await schemaOfSent(this.#options, { name, type, find })
    if (schema) await validate(schema, decodeValue(encoded), thing)
    const answer = await this.#signals.add({
      executionId,
      name,
      payload: encoded,
      idempotencyKey: idempotencyKey === undefined ? null : requireName(idempotencyKey, 'idempotencyKey'),
      audit,
    })
    if (answer === 'sent') return this.#options.onChanged()
    const execution = await this.#find(executionId)
    if (answer === 'notDurable') throw notDurable(executionId)
    throw statusConflict(executionId, execution.status, 'signal')
  }

  /** All that is recorded, in the order of the calls. */
  async history(id: string): Promise<HistoryEntryView[]> {
    const executionId = requireUuid(id, 'Execution id')
    const entries = await this.#options.store.histories.read(executionId)
    if (entries.length === 0) await this.#find(executionId)
    return entries.map(viewOfEntry)
  }

  /** Begins again from a call. Returns the id: a new one where it had ended, its own where it was DIVERGED. */
  async restart(id: string, options: RestartOptions, request: RepeatRequest = {}): Promise<string> {
    const { from } = requireOptions(options, 'Restart options', ['from'])
    const { histories } = this.#options.store
    const execution = await this.#find(requireUuid(id, 'Execution id'))
    const { status } = execution
    if (!execution.options?.durable) throw notDurable(id)
    if (status !== 'DIVERGED' && !isFinal(status)) throw statusConflict(id, status, 'restart')
    const sequence = await this.#sequenceOf(id, from)
    if (status === 'DIVERGED') {
      requireSameAsApproved(this.#options, execution, await this.#jobOf(execution))
      if (!(await histories.cut(id, sequence, request.audit?.(id))))
        throw statusConflict(id, (await this.#find(id)).status, 'restart')
      this.#options.onChanged()
      return id
    }
    return await this.#fork(execution, sequence, request)
  }

  /** Lets one that is DIVERGED try again. */
  async resume(id: string): Promise<void> {
    const executionId = requireUuid(id, 'Execution id')
    const resumed = await this.#options.store.histories.resume({ ids: [executionId], limit: 1 })
    if (resumed.length > 0) return this.#options.onChanged()
    throw statusConflict(executionId, (await this.#find(executionId)).status, 'resume')
  }

  async #fork(execution: Execution, sequence: number, request: RepeatRequest): Promise<string> {
    const { store, time, env, types, telemetry } = this.#options
    const job = await this.#jobOf(execution)
    const again = repeatedExecution({ env, types }, execution, job, time.now(), request)
    const seed = execution.options?.seed ?? execution.id
    const body: ExecutionBody = { ...again, options: { ...again.options, isForked: true, seed } }
    const { tenant, jobId, jobType } = body
    const audit = request.audit?.(body.id)
    if (!(await store.histories.fork(execution.id, sequence, { body, runAt: null }, audit))) {
      throw new UnknownExecutionError(execution.id)
    }
    telemetry.tell('execution.queued', { executionId: body.id, jobType, jobId, tenant })
    this.#options.onChanged()
    return body.id
  }

  async #sequenceOf(id: string, from: number | string): Promise<number> {
    if (typeof from === 'number') return requireInteger(from, 'from', 1, LAST_PLACE)
    const entries = await this.#options.store.histories.read(id)
    const first = entries.find(({ kind, name, sequence }) => kind === 'activity' && name === from && sequence > 0)
    if (first) return first.sequence
    const message = `from must be the place of a call, or the id of an activity that was called, got ${quote(from)}.`
    throw new InvalidInputError('option.invalid', message, { case: 'call', name: 'from', received: from })
  }

  async #jobOf({ jobId }: Execution): Promise<Job | undefined> {
    return jobId === null ? undefined : (await this.#options.store.jobs.find([jobId]))[0]
  }

  async #find(id: string): Promise<Execution> {
    const [execution] = await this.#options.store.executions.find([id])
    if (!execution) throw new UnknownExecutionError(id)
    return execution
  }
}

function notDurable(id: string): PontualError {
  return new PontualError('execution.not_durable', `Execution "${id}" is not of a durable job.`, { executionId: id })
}
