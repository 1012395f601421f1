import { MINUTE_MS } from '../../../duration.ts'
import type { AppOptions } from '../../../engine/app/options.ts'
import { isSameJson } from '../../../job/execution/payload.ts'
import { unreadableCode } from '../../../job/execution/unreadable.ts'
import type { Job, JobDefinition, JobDetails } from '../../../job/job.ts'
import { fieldsOf, JOB_FIELD_NAMES, type JobDraft, type JobFields } from '../../../job/job-fields.ts'
import { firesNow } from '../../../job/job-status.ts'
import { triggerFrom } from '../../../time/triggers/from-json.ts'
import type { JobView } from '../../job-view.ts'
import type { Scope } from '../../scope.ts'
import { wireInstant, wireValue } from '../../wire-value.ts'
import { shownPayload } from './hidden-values.ts'

/** What a job view needs to know beside the job: what holds where a job says nothing. */
export interface ViewDefaults extends Pick<AppOptions, 'types' | 'settings'> {
  /** Whether the tenant is: absent where nobody asks. */
  readonly isSuspended?: boolean | undefined
}

/** What the views of a tenant's jobs need to know. */
export async function viewDefaults({ opened, flags }: Pick<Scope, 'opened' | 'flags'>): Promise<ViewDefaults> {
  const { JOBS_SCHEDULING } = await flags()
  return { ...opened.options, isSuspended: !JOBS_SCHEDULING.isEnabled }
}

/** A job as it stands on the wire. */
export function viewOfJob(job: Job, defaults: ViewDefaults): JobView {
  const { definition, details, schedule } = job
  return {
    id: job.id,
    clienteId: job.tenant,
    jobType: definition.jobType,
    ...shownFields(job, defaults),
    status: job.status,
    isSuspended: defaults.isSuspended ?? false,
    statusReason: job.statusReason,
    pausedUntil: wireInstant(job.pausedUntil),
    ...payloadErrorOf(definition),
    nextExecution: firesNow(job) ? wireInstant(schedule.nextFireAt) : null,
    scheduledByUserId: details.scheduledBy,
    approvedByUserId: details.approval?.by ?? null,
    approvedAt: wireInstant(details.approval?.at ?? null),
    createdAt: wireInstant(job.createdAt),
    createdBy: details.createdBy,
    updatedAt: job.version === 1 ? null : wireInstant(job.updatedAt),
    updatedBy: job.version === 1 ? null : details.updatedBy,
    deletedAt: wireInstant(details.deletedAt),
    deletedBy: details.deletedBy,
    origin: job.origin,
    differsFromCode: details.declared === null ? null : differences(job, details.declared, defaults),
    cronOverride: viewOfOverride(details.override),
    version: job.version,
  }
}

function payloadErrorOf({ payload }: JobDefinition): Pick<JobView, 'payloadError'> {
  const payloadError = unreadableCode(payload)
  return payloadError ? { payloadError } : {}
}

function shownFields(job: JobDraft, { types, settings }: ViewDefaults): JobFields {
  const { trigger, timeoutMs, jobType, payload } = job.definition
  const usedTimeoutMs = timeoutMs ?? types.get(jobType)?.timeoutMs ?? settings.defaultTimeoutMs
  return {
    ...fieldsOf(job),
    timeoutMinutes: usedTimeoutMs === null ? null : usedTimeoutMs / MINUTE_MS,
    cronExpression: trigger.type === 'cron' ? trigger.expression : null,
    timeZone: triggerFrom(trigger).timeZone,
    trigger,
    payload: shownPayload(jobType, wireValue(payload)),
  }
}

function viewOfOverride(override: JobDetails['override']): JobView['cronOverride'] {
  if (override === null) return null
  const { source, expression, codeExpression } = override
  return { source, cronExpression: expression, codeCronExpression: codeExpression }
}

/** The fields in which a job differs from what the code declares, with what the code says. */
function differences(
  job: JobDraft,
  declared: JobDefinition,
  defaults: ViewDefaults,
): Readonly<Record<string, unknown>> {
  const [code, own] = [shownFields({ ...job, definition: declared }, defaults), shownFields(job, defaults)]
  return Object.fromEntries(
    JOB_FIELD_NAMES.filter((name) => !isSameJson(code[name], own[name])).map((name) => [name, code[name]]),
  )
}
