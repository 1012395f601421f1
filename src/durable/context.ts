import { type Duration, parseDuration } from '../duration.ts'
import { InvalidInputError, quote } from '../errors.ts'
import type { ActivityContext, AnyActivity, CallOptions } from '../job/activity/activity.ts'
import type {
  Child,
  ChildOptions,
  DurableContext,
  DurableTimer,
  DurableTransaction,
  SignalOptions,
} from '../job/activity/durable-context.ts'
import type { HistoryEntry } from '../job/activity/history.ts'
import { type SignalSchemas, schemaOfSignal, unknownSignal } from '../job/activity/signals.ts'
import { requireName } from '../job/name.ts'
import type { AnyJobType } from '../job/type/job-type.ts'
import { requireSchema, type StandardSchema } from '../job/type/standard-schema.ts'
import type { Logger } from '../logger.ts'
import { type Instant, instantOf } from '../time/instant.ts'
import { requireOptions } from '../time/require.ts'
import { activityPlan, adHocPlan, PLAIN_RULES } from './activity.ts'
import { type CallPlan, type Step, stepOf } from './call.ts'
import { startPlan } from './child.ts'
import { decodeValue, encodeValue, inputEncoder } from './codec.ts'
import type { Run } from './run.ts'
import { SignalWait } from './signal.ts'
import { sleepPlan, sleepUntilPlan, Timer } from './timer.ts'
import { TransactionCall } from './transaction.ts'

export type ContextFacts = Pick<
  DurableContext,
  'executionId' | 'jobType' | 'jobId' | 'tenant' | 'attempt' | 'scheduledAt' | 'misfire' | 'idempotencyKey'
>

/** The context of a durable job: each method validates its arguments and makes a call of the run. */
export function durableContext(
  run: Run,
  facts: ContextFacts,
  log: Logger,
  signals: SignalSchemas | null = null,
): DurableContext {
  let checkpoint: HistoryEntry | null = null
  const call = (plan: CallPlan): Step => run.call(plan)
  const requireWait = (name: string, schema: SignalSchema | undefined): SignalSchema | undefined => {
    if (schema !== undefined) requireSchema(schema, `Signal ${quote(name)}`)
    if (signals === null) return schema
    const declared = schemaOfSignal(signals, name)
    if (declared === undefined) throw unknownSignal(facts, name, Object.keys(signals))
    if (schema === undefined) return declared
    const message = `Job type ${quote(facts.jobType)} declares signal ${quote(name)} with its schema. Leave the schema out of ctx.signal.`
    throw new InvalidInputError('option.invalid', message, { name: 'schema' })
  }
  const context = {
    // One by one: every call reads its method from this object, and a spread makes that slower.
    executionId: facts.executionId,
    jobType: facts.jobType,
    jobId: facts.jobId,
    tenant: facts.tenant,
    attempt: facts.attempt,
    scheduledAt: facts.scheduledAt,
    misfire: facts.misfire,
    idempotencyKey: facts.idempotencyKey,
    get abortSignal() {
      return run.abort.signal
    },
    log,

    run(work: AnyActivity | string, given?: unknown, options?: CallOptions): Step {
      const { tenant } = facts
      if (typeof work !== 'string') return call(activityPlan(run, tenant, requireActivity(work), given, options))
      if (typeof given !== 'function') throw invalid('perform', 'ctx.run with a name takes a function', given)
      const perform = given as (context: ActivityContext) => unknown
      return call(adHocPlan(run, tenant, requireName(work, 'Activity name'), perform, options))
    },

    transaction(name: string | Perform, perform?: Perform): Step {
      const work = typeof name === 'function' ? name : perform
      if (typeof work !== 'function') throw invalid('perform', 'ctx.transaction takes a function', work)
      const id = typeof name === 'function' ? 'transaction' : requireName(name, 'Transaction name')
      return call(new TransactionCall(run, id, work, PLAIN_RULES))
    },

    sleep(duration: Duration): Step {
      const ms = parseDuration(duration, 'duration')
      return call(sleepPlan(run, ms))
    },

    sleepUntil(instant: Instant): Step {
      const at = instantOf(instant, 'instant')
      return call(sleepUntilPlan(run, () => at))
    },

    timer(id: string, at: Instant): DurableTimer {
      const dueAt = instantOf(at, 'at')
      const timer = new Timer(run, () => dueAt)
      const step = call(timer.plan(requireName(id, 'Timer id'), 'timer')) as Step<'fired' | 'cancelled'>
      return Object.assign(step, { cancel: () => timer.cancel() })
    },

    signal(name: string, schema?: StandardSchema<unknown, unknown>, options?: SignalOptions): Step {
      const schemaOfWait = requireWait(requireName(name, 'Signal name'), schema)
      const timeout = options && requireOptions(options, 'Signal options', ['timeout']).timeout
      const timeoutMs = timeout === undefined ? null : parseDuration(timeout, 'timeout')
      return call(new SignalWait(run, name, schemaOfWait, timeoutMs).plan())
    },

    start: (job: AnyJobType, input?: unknown, options?: ChildOptions): Step =>
      call(startOf(run, job, input, options, false)),

    call(job: AnyJobType, input?: unknown, options?: ChildOptions): Step {
      const started = call(startOf(run, job, input, options, true)) as Step<Child<unknown>>
      // Two calls, of which the second depends on the first, as one step.
      const step = stepOf(started.then((child) => child.result()))
      run.calls.watch({ kind: 'child', name: job.id, sequence: run.sequence, step })
      return step
    },

    now(): number {
      run.mayCall('now')
      return run.now
    },
    // A replay would not repeat a draw inside an activity.
    random(): number {
      run.mayCall('random')
      return run.random.next()
    },
    uuid(): string {
      run.mayCall('uuid')
      return run.random.uuid()
    },

    checkpoint(state: unknown): Step {
      const output = encodeValue(state, 'State of ctx.checkpoint')
      return call({
        kind: 'checkpoint',
        name: 'checkpoint',
        verb: 'checkpoint',
        begin: (made) => run.effects.settle(made, { status: 'COMPLETED', output }),
        valueFrom: (entry) => {
          checkpoint = entry
          return undefined
        },
      })
    },
    lastCheckpoint: () => decodeValue(checkpoint?.output ?? null),

    onCancel(cleanUp: () => unknown): void {
      if (typeof cleanUp !== 'function') throw invalid('cleanUp', 'ctx.onCancel takes a function', cleanUp)
      if (run.mayCall('onCancel')) run.cleanUps.onCancel(run.sequence, cleanUp)
    },
    patched: (id: string): boolean => run.patched(requireName(id, 'Patch id')),
    continueAs: (input: unknown): Step => run.continueAs(encodeValue(input, 'Input of ctx.continueAs')),
  }
  return context as unknown as DurableContext
}

type SignalSchema = StandardSchema<unknown, unknown>
type Perform = (transaction: DurableTransaction) => unknown

function startOf(run: Run, job: AnyJobType, input: unknown, options: ChildOptions = {}, isCalled: boolean): CallPlan {
  const verb = isCalled ? 'call' : 'start'
  if (typeof job?.id !== 'string' || typeof job.run !== 'function')
    throw invalid('job', `ctx.${verb} takes what job(…) gives`, job)
  requireOptions(options, 'Child options', ['queue', 'priority', 'delay'])
  const payload = inputEncoder(job.isDurable)(input, `Input of job type "${job.id}"`)
  return startPlan(run, { job, payload, options, isCalled })
}

function requireActivity(activity: AnyActivity): AnyActivity {
  if (typeof activity?.id === 'string' && typeof activity.run === 'function' && activity.rules) return activity
  throw invalid('activity', 'ctx.run takes what activity(…) gives, or a name and a function', activity)
}

function invalid(name: string, expected: string, received: unknown): InvalidInputError {
  return new InvalidInputError('option.invalid', `${expected}, got ${quote(received)}.`, { name })
}
