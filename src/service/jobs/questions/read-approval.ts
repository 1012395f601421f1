import type { AuditEntry, AuditOperation, AuditValues } from '../../../access/audit.ts'
import { requirePermission } from '../../../access/principal.ts'
import { APPROVED_VALUES, auditValues } from '../../../engine/lifecycle/audit.ts'
import { isSameJson } from '../../../job/execution/payload.ts'
import { isUnreadable } from '../../../job/execution/unreadable.ts'
import type { Job } from '../../../job/job.ts'
import type { CalendarJson } from '../../../time/calendars/json.ts'
import { firstUuidAt } from '../../../uuid.ts'
import type { ApprovalChange, ApprovalView } from '../../job-knowledge.ts'
import { ownJob } from '../../owned.ts'
import type { Scope } from '../../scope.ts'
import { wireInstant, wireValue } from '../../wire-value.ts'
import { shownPayload } from '../fields/hidden-values.ts'

/** What changes a job, or where it stands. */
const CHANGING: readonly AuditOperation[] = ['JOBS_JOB_CREATE', 'JOBS_JOB_UPDATE', 'JOBS_JOB_RESUME', 'JOBS_JOB_REJECT']

/** More edits than people make between two approvals. */
const MOST_CHANGES = 1_000
/** Among so many of the newest entries stands the one that asks for the yes: others tell of words and tags. */
const MOST_LOOKED_THROUGH = 100

/** What somebody would say yes to: a job as it is now against what was approved last, as the audit log tells it. */
export async function readApproval(scope: Scope, id: string): Promise<ApprovalView> {
  requirePermission(scope.principal, 'jobs:read')
  const job = await ownJob(scope, id)
  const isPending = job.status === 'PENDING_APPROVAL'
  const [approval] = await entriesOf(scope, job, { operations: ['JOBS_JOB_APPROVE'], limit: 1 })
  const [request, changes] = await Promise.all([
    isPending ? requestOf(scope, job) : null,
    isPending || job.details.isSensitive ? changesSince(scope, job, approval) : [],
  ])
  return {
    isPending,
    isFirst: approval === undefined,
    requestedBy: request?.by ?? null,
    requestedAt: wireInstant(request?.at ?? null),
    changes,
  }
}

type Asked = Omit<Parameters<Scope['store']['audit']['list']>[0], 'tenant' | 'jobId' | 'archived'>

async function entriesOf({ store, tenant }: Scope, { id: jobId }: Job, asked: Asked): Promise<AuditEntry[]> {
  return await store.audit.list({ ...asked, tenant, jobId, archived: true })
}

/** Who last did what needs a yes, and when. */
async function requestOf(scope: Scope, job: Job): Promise<{ readonly by: string | null; readonly at: number }> {
  const entries = await entriesOf(scope, job, { operations: CHANGING, limit: MOST_LOOKED_THROUGH })
  const asking = entries.find(({ newValues }) => {
    const values = valuesOf(newValues)
    return values['status'] === 'PENDING_APPROVAL' || APPROVED_VALUES.some((field) => field in values)
  })
  if (asking) return { by: asking.userId, at: asking.at }
  return { by: job.details.scheduledBy, at: job.updatedAt }
}

async function changesSince(scope: Scope, job: Job, approval: AuditEntry | undefined): Promise<ApprovalChange[]> {
  const current = auditValues(job)
  if (!approval) {
    const nothing = Object.fromEntries(APPROVED_VALUES.map((field) => [field, null]))
    return changedFields(job, nothing, { ...current, calendarDefinition: await calendarOf(scope, job) })
  }
  const entries = await entriesOf(scope, job, {
    operations: CHANGING,
    after: approval.sequence,
    isAscending: true,
    limit: MOST_CHANGES,
  })
  // What a field was before the first change of it is what was approved.
  const approved = together(entries.toReversed().map((entry) => valuesOf(entry.oldValues)))
  const latest = together(entries.map((entry) => valuesOf(entry.newValues)))
  // A store that encrypts keeps a hash of the hash: it can be held against others of the log alone.
  const changes = changedFields(
    job,
    { ...current, ...approved },
    {
      ...current,
      ...picked(latest, 'payloadHash'),
      ...picked(latest, 'calendarDefinition'),
    },
  )
  const payloadChange = entries.find(({ newValues }) => 'payloadHash' in valuesOf(newValues))
  if (!payloadChange || approved['payloadHash'] === null) return changes
  const payload = await approvedPayload(scope, job, approval, payloadChange)
  return changes.map((change) => (change.field === 'payload' ? { ...change, ...payload } : change))
}

/** The content of the calendar of a job; null if it has none. */
async function calendarOf({ store, tenant }: Scope, { definition }: Job): Promise<CalendarJson | null> {
  if (definition.calendar === null) return null
  const [calendar] = await store.calendars.find([{ tenant, name: definition.calendar }])
  return calendar?.definition ?? null
}

/** Of each field what stands last. */
function together(values: readonly AuditValues[]): AuditValues {
  return Object.fromEntries(values.flatMap((each) => Object.entries(each)))
}

function picked(values: AuditValues, name: string): AuditValues {
  return name in values ? { [name]: values[name] } : {}
}

function changedFields(job: Job, approved: AuditValues, current: AuditValues): ApprovalChange[] {
  return APPROVED_VALUES.filter(
    (field) => field in approved && !isSameJson(approved[field] ?? null, current[field] ?? null),
  ).map((field) =>
    field === 'payloadHash'
      ? { field: 'payload', approved: null, current: shownOf(job, job.definition.payload), isApprovedKnown: true }
      : { field, approved: approved[field] ?? null, current: current[field] ?? null, isApprovedKnown: true },
  )
}

/** What the job was given between the yes and the change: under a yes that holds it runs with nothing else. Nobody knows where it has not run. */
async function approvedPayload(
  { store, tenant }: Scope,
  job: Job,
  approval: AuditEntry,
  change: AuditEntry,
): Promise<Pick<ApprovalChange, 'approved' | 'isApprovedKnown'>> {
  const span = { since: approval.at, before: firstUuidAt(change.at + 1) }
  const isBound = valuesOf(approval.newValues)['status'] === 'APPROVED'
  const [run] = isBound ? await store.executions.list({ tenant, jobId: job.id, ...span, limit: 1 }) : []
  if (!run || isUnreadable(run.payload)) return { approved: null, isApprovedKnown: false }
  return { approved: shownOf(job, run.payload), isApprovedKnown: true }
}

function shownOf({ definition }: Job, payload: string | null): unknown {
  return shownPayload(definition.jobType, wireValue(payload))
}

function valuesOf(text: string | null): AuditValues {
  return text === null ? {} : (JSON.parse(text) as AuditValues)
}
