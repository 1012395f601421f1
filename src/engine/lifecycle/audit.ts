import type { AuditDraft, AuditOperation, AuditValues } from '../../access/audit.ts'
import { isSamePayload } from '../../job/execution/payload.ts'
import type { Job } from '../../job/job.ts'
import { retryRules } from '../../job/rules/retry.ts'
import type { JobChange } from '../../store/jobs.ts'
import { formatInstant } from '../../time/instant.ts'
import { misfireRules } from '../../time/misfire/policy.ts'
import type { TriggerJson } from '../../time/triggers/json.ts'

import { hashPayload } from './hash-definition.ts'

/** Who decides about a job. */
export interface Author {
  /** As the audit log names him; null: nobody but Pontual itself, or the code. */
  readonly userId: string | null
  /** All whom he stands for: none of them may approve what he has decided. A key stands for its owner too. */
  readonly persons: readonly string[]
}

/** Pontual itself: what follows from the rules, such as a pause that ends. */
export const NOBODY: Author = Object.freeze({ userId: null, persons: Object.freeze([]) })

/** An application that schedules jobs, or declares them. */
export function codeOf(application: string | null): Author {
  return { userId: null, persons: [application === null || application === '' ? 'code' : `code:${application}`] }
}

const USUAL_MISFIRE = misfireRules()

/**
 * What the audit log tells of a job, by its names on the wire. Whoever is asked for a yes is shown it: what a yes is to stands here. Of a payload it tells the
 * hash: entries outlive what payloads may hold. What is as usual for most jobs, and seldom otherwise, is null where it is usual.
 */
export function auditValues({ name, status, statusReason, pausedUntil, definition, details }: Job): AuditValues {
  const { jobType, trigger, calendar, payload, queue, priority, timeoutMs, maxAttempts, retry, misfire, overlap } =
    definition
  return {
    name,
    description: details.description,
    jobType,
    ...timesOf(trigger),
    calendar,
    status,
    statusReason,
    pausedUntil: instantOrNull(pausedUntil),
    priority,
    queue,
    timeoutMinutes: timeoutMs === null ? null : timeoutMs / 60_000,
    retryCount: maxAttempts - 1,
    retry: retry === null ? null : unlessSame(retry, retryRules({ retries: retry.retries })),
    requiresTwoStepExecution: details.isSensitive,
    payloadHash: payload === null ? null : hashPayload(payload),
    misfirePolicy: misfire.policy,
    misfireThresholdSeconds: misfire.thresholdMs / 1_000,
    misfireCauses: unlessSame(misfire.causes, USUAL_MISFIRE.causes),
    misfireCatchUp: unlessSame(misfire.catchUp, USUAL_MISFIRE.catchUp),
    quartz: definition.quartz || null,
    isDurable: definition.durable || null,
    overlap,
    onFault: definition.onFault,
    tags: details.tags,
    scheduledByUserId: details.scheduledBy,
    approvedByUserId: details.approval?.by ?? null,
    approvedAt: instantOrNull(details.approval?.at ?? null),
    deletedAt: instantOrNull(details.deletedAt),
  }
}

/** A cron by its expression and zone; by its trigger as well, where that says more. */
function timesOf(trigger: TriggerJson): AuditValues {
  if (trigger.type !== 'cron') return { trigger }
  const { type: _, expression: cronExpression, timeZone, ...more } = trigger
  return { cronExpression, timeZone, ...(Object.keys(more).length > 0 && { trigger }) }
}

function unlessSame<Value>(value: Value, usual: Value): Value | null {
  return isSame(value, usual) ? null : value
}

function instantOrNull(at: number | null): string | null {
  return at === null ? null : formatInstant(at)
}

/** The fields in which a job differs from what it was: what they were, and what they are. Of a new job all that is not null. */
function changedValues(
  before: Job | null,
  after: Job,
): { readonly oldValues: AuditValues; readonly newValues: AuditValues } {
  const [old, now] = [before === null ? {} : auditValues(before), auditValues(after)]
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((name) => !isSame(old[name], now[name]))
  return { oldValues: picked(old, names), newValues: picked(now, names) }
}

function isSame(a: unknown, b: unknown): boolean {
  return isSamePayload(JSON.stringify(a ?? null), JSON.stringify(b ?? null))
}

function picked(values: AuditValues, names: readonly string[]): AuditValues {
  return Object.fromEntries(names.map((name) => [name, values[name] ?? null]))
}

/** A change with what the audit log is told about it; nothing, where people see no difference. */
export function audited(
  change: JobChange,
  before: Job | null,
  operation: AuditOperation,
  by: Author,
  more: AuditValues = {},
): JobChange {
  const { oldValues, newValues } = changedValues(before, change.job)
  const told = { ...newValues, ...more }
  if (Object.keys(told).length === 0) return change
  const audit: AuditDraft = {
    operation,
    userId: by.userId,
    jobId: change.job.id,
    executionId: null,
    oldValues: before === null ? null : oldValues,
    newValues: told,
  }
  return { ...change, audit }
}
