import { decodeValue, inputEncoder } from '../../durable/codec.ts'
import type { CronOverrideRecord, Job, JobDefinition, JobOrigin } from '../../job/job.ts'
import { type FaultRule, faultRule } from '../../job/job-definition.ts'
import { requireName } from '../../job/name.ts'
import { concurrencyOf, overlapRule } from '../../job/rules/overlap.ts'
import { requirePriority } from '../../job/rules/priority.ts'
import { type RetryRules, retryRules } from '../../job/rules/retry.ts'
import { SCHEDULE_FIELDS, type ScheduleOptions } from '../../job/schedule-options.ts'
import { type AnyJobType, DEFAULT_QUEUE, refuseForDurable, timeoutOf } from '../../job/type/job-type.ts'
import { validate } from '../../job/type/standard-schema.ts'
import { misfireRules, requirePoliciesFor } from '../../time/misfire/policy.ts'
import { requireBoolean, requireOptions } from '../../time/require.ts'
import { requireTrigger } from '../../time/triggers/trigger.ts'
import type { Author } from '../lifecycle/audit.ts'
import type { JobDecision } from '../lifecycle/change-job.ts'
import { NOT_IN_CODE } from '../lifecycle/change-status.ts'
import { createdJob } from '../lifecycle/create-job.ts'
import { isSameDefinition, redefinedJob } from '../lifecycle/redefine-job.ts'
import { isSensitiveType, type LifecycleDeps } from '../lifecycle/status-fields.ts'

/** What a scheduler holds for jobs that do not say otherwise. */
export interface ScheduleDefaults {
  readonly misfireThresholdMs: number
  readonly retry: RetryRules
  readonly onFaulted: FaultRule
}

/** A job's definition from its options: checked, complete, and safe to store. */
export async function defineJob(
  name: string,
  type: AnyJobType | string,
  options: ScheduleOptions,
  defaults: ScheduleDefaults,
  declaredBy: string | null,
): Promise<JobDefinition> {
  const known = typeof type === 'string' ? null : type
  const jobType = known?.id ?? requireName(type, 'Job type id')
  requireOptions(options, `Job "${name}"`, SCHEDULE_FIELDS)
  const thing = `Input of job "${name}"`
  const payload = inputEncoder(known?.isDurable ?? false)(options.input, thing)
  if (known?.schema) await validate(known.schema, decodeValue(payload), thing)
  const retry = options.retry === undefined ? (known?.retry ?? null) : retryRules(options.retry)
  if (known?.isDurable) refuseForDurable(options, ['retry'], `Job "${name}"`)
  const overlap = overlapRule(options.overlap ?? 'allow')
  const trigger = requireTrigger(options.trigger, `Job "${name}": trigger`)
  const misfire = misfireRules({
    threshold: defaults.misfireThresholdMs,
    ...requireOptions(options.misfire ?? {}, `Job "${name}": misfire`, ['policy', 'threshold', 'causes', 'catchUp']),
  })
  requirePoliciesFor(trigger, misfire)
  return {
    jobType,
    trigger: trigger.toJSON(),
    calendar: options.calendar === undefined ? null : requireName(options.calendar, 'calendar'),
    misfire,
    quartz: requireBoolean(options.quartz ?? false, 'quartz'),
    payload,
    queue: requireName(options.queue ?? known?.queue ?? DEFAULT_QUEUE, 'queue'),
    priority: requirePriority(options.priority ?? known?.priority ?? 'MEDIUM'),
    timeoutMs: options.timeout === undefined ? null : timeoutOf(options.timeout),
    retry: options.retry === undefined ? null : retry,
    maxAttempts: (retry ?? defaults.retry).retries + 1,
    onFault: faultRule(options.onFaulted ?? known?.onFaulted ?? defaults.onFaulted),
    overlap,
    concurrency: concurrencyOf(overlap),
    ...(known?.isDurable ? { durable: true } : {}),
    declaredBy,
  }
}

export interface ScheduleRequest {
  readonly tenant: string
  readonly name: string
  readonly definition: JobDefinition
  readonly origin: JobOrigin
  /** What the configuration says about it. Default: nothing. */
  readonly override?: CronOverrideRecord | null | undefined
  readonly by: Author
}

/** How a job becomes what code asks for: created, changed, or null where it is that already. */
export async function scheduledJob(
  deps: LifecycleDeps,
  request: ScheduleRequest,
  existing: Job | null,
): Promise<JobDecision | null> {
  const { name, origin, by, override = null } = request
  if (!existing) return await createdJob(deps, request, by)
  const { definition, declared } = underEdits(existing, request)
  const isRevived = existing.status === 'DISABLED' && existing.statusReason === NOT_IN_CODE
  const isSensitive = existing.details.isSensitive || isSensitiveType(deps, definition.jobType)
  const isSame =
    isSameDefinition(existing.definition, definition) &&
    isSameDeclared(existing.details.declared, declared) &&
    isSameOverride(existing.details.override, override) &&
    isSensitive === existing.details.isSensitive
  if (isSame && !isRevived) return null
  const details = { ...existing.details, isSensitive, declared, override }
  return await redefinedJob(deps, existing, { name, definition, details, origin, isRevived }, by)
}

interface UnderEdits {
  readonly definition: JobDefinition
  readonly declared: JobDefinition | null
}

/** What an operator has put in the place of what the code declares stays, and so does the difference: until it is reset, or the code has another job type there. */
function underEdits({ definition: kept, details }: Job, { definition, origin }: ScheduleRequest): UnderEdits {
  const isOther = kept.jobType !== definition.jobType || (kept.durable ?? false) !== (definition.durable ?? false)
  if (origin !== 'code' || details.declared === null || isOther) return { definition, declared: null }
  const edited = { ...kept, declaredBy: definition.declaredBy }
  return { definition: edited, declared: isSameDefinition(edited, definition) ? null : definition }
}

function isSameOverride(a: CronOverrideRecord | null, b: CronOverrideRecord | null): boolean {
  const [one, other] = [a, b].map((each) => each && [each.source, each.expression, each.codeExpression].join('\n'))
  return one === other
}

function isSameDeclared(a: JobDefinition | null, b: JobDefinition | null): boolean {
  return a === null || b === null ? a === b : isSameDefinition(a, b)
}
