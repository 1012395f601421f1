import { MINUTE_MS } from '../../../duration.ts'
import type { FaultRule, JobDefinition } from '../../../job/job.ts'
import { STORED_DEFAULTS } from '../../../job/job-fields.ts'
import { concurrencyOf } from '../../../job/rules/overlap.ts'
import { type RetryRules, retryRules } from '../../../job/rules/retry.ts'
import { type AnyJobType, DEFAULT_QUEUE } from '../../../job/type/job-type.ts'
import { misfireRules } from '../../../time/misfire/policy.ts'
import type { TriggerJson } from '../../../time/triggers/json.ts'

/** A job of a type of which nothing is said but when it fires. What the job type says of itself goes before the defaults of the service. */
export function blankDefinition(
  jobType: string,
  type: AnyJobType | null,
  trigger: TriggerJson,
  onFaulted: FaultRule,
): JobDefinition {
  // A durable job may sleep for months: only its own code knows how long is too long.
  const hasOwnTimeout = type !== null && (type.timeoutMs !== null || type.isDurable)
  const hasOwnRetry = type !== null && (type.retry !== null || type.isDurable)
  const retries = type?.retry?.retries ?? STORED_DEFAULTS.retryCount
  return {
    jobType,
    trigger,
    calendar: null,
    misfire: misfireRules(),
    quartz: false,
    payload: null,
    queue: type?.queue ?? DEFAULT_QUEUE,
    priority: type?.priority ?? 'MEDIUM',
    timeoutMs: hasOwnTimeout ? null : STORED_DEFAULTS.timeoutMinutes * MINUTE_MS,
    retry: hasOwnRetry ? null : retryRules({ retries }),
    maxAttempts: retries + 1,
    onFault: type?.onFaulted ?? onFaulted,
    overlap: 'allow',
    concurrency: concurrencyOf('allow'),
    ...(type?.isDurable ? { durable: true } : {}),
    declaredBy: null,
  }
}

/** So many retries; how long to wait between them, and after which errors there is none, stay as they were. */
export function withRetries(definition: JobDefinition, type: AnyJobType | null, retries: number): JobDefinition {
  const own: RetryRules | null = definition.retry ?? type?.retry ?? null
  const waits = retryRules({ retries })
  const isUsual = own === null || isPrefix(own.intervalsMs, retryRules({ retries: own.retries }).intervalsMs)
  const retry = isUsual
    ? { ...own, ...waits, nonRetryable: own?.nonRetryable ?? [], jitter: own?.jitter ?? 'none' }
    : { ...own, retries }
  return { ...definition, retry, maxAttempts: retries + 1 }
}

function isPrefix(some: readonly number[], all: readonly number[]): boolean {
  return some.every((each, index) => each === all[index])
}
