import type { AuditDraft, AuditOperation, AuditValues } from '../../access/audit.ts'
import { isSameJson } from '../../job/execution/payload.ts'
import type { Job, JobDefinition } from '../../job/job.ts'
import { fieldsOf, JOB_FIELD_NAMES, needsApproval } from '../../job/job-fields.ts'
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

/** Attributes that only code sets. What is usual for most jobs is null. */
const CODE_VALUES = {
  queue: ({ queue }) => queue,
  retry: ({ retry }) => (retry === null ? null : unlessSame(retry, retryRules({ retries: retry.retries }))),
  misfireCauses: ({ misfire }) => unlessSame(misfire.causes, USUAL_MISFIRE.causes),
  misfireCatchUp: ({ misfire }) => unlessSame(misfire.catchUp, USUAL_MISFIRE.catchUp),
  quartz: ({ quartz }) => quartz || null,
  onFault: ({ onFault }) => onFault,
  isDurable: ({ durable }) => durable || null,
} satisfies Readonly<Record<string, (definition: JobDefinition) => unknown>>

/** The audited values that an approval covers, in the order in which they are shown. */
export const APPROVED_VALUES: readonly string[] = [
  ...new Set([
    'name',
    'jobType',
    'cronExpression',
    'timeZone',
    'trigger',
    'calendar',
    'calendarDefinition',
    'payloadHash',
    ...JOB_FIELD_NAMES.filter((name) => needsApproval(name) && name !== 'payload'),
    ...Object.keys(CODE_VALUES),
  ]),
]

/**
 * The values of a job in the audit log, by their names in the API. An approver sees them. A payload is represented by its hash: entries outlive payloads.
 */
export function auditValues(job: Job): AuditValues {
  const { status, statusReason, pausedUntil, definition, details } = job
  const { jobType, trigger, payload } = definition
  return {
    jobType,
    ...fieldsOf(job),
    ...timesOf(trigger),
    payloadHash: payload === null ? null : hashPayload(payload),
    ...Object.fromEntries(Object.entries(CODE_VALUES).map(([name, read]) => [name, read(definition)])),
    status,
    statusReason,
    pausedUntil: instantOrNull(pausedUntil),
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
  return isSameJson(value, usual) ? null : value
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
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    (name) => !isSameJson(old[name], now[name]),
  )
  return { oldValues: picked(old, names), newValues: picked(now, names) }
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
