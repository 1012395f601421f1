import { MINUTE_MS } from '../../../duration.ts'
import type { AppOptions } from '../../../engine/app/options.ts'
import { unreadableCode } from '../../../job/execution/unreadable.ts'
import type { Job, JobDefinition } from '../../../job/job.ts'
import type { JobDetails } from '../../../job/job-details.ts'
import { firesNow } from '../../../job/job-status.ts'
import { triggerFrom } from '../../../time/triggers/from-json.ts'
import type { JobView } from '../../job-view.ts'
import type { Scope } from '../../scope.ts'
import { wireInstant, wireValue } from '../../wire-value.ts'
import { isSameJson } from '../same-json.ts'
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

type DefinitionView = Pick<
  JobView,
  | 'cronExpression'
  | 'timeZone'
  | 'trigger'
  | 'calendar'
  | 'priority'
  | 'timeoutMinutes'
  | 'retryCount'
  | 'payload'
  | 'misfirePolicy'
  | 'misfireThresholdSeconds'
  | 'overlap'
>

/** A job as it stands on the wire. */
export function viewOfJob(job: Job, defaults: ViewDefaults): JobView {
  const { definition, details, schedule } = job
  return {
    id: job.id,
    clienteId: job.tenant,
    name: job.name,
    description: details.description,
    jobType: definition.jobType,
    ...viewOfDefinition(definition, defaults),
    status: job.status,
    isSuspended: defaults.isSuspended ?? false,
    statusReason: job.statusReason,
    pausedUntil: wireInstant(job.pausedUntil),
    requiresTwoStepExecution: details.isSensitive,
    ...payloadErrorOf(definition),
    tags: details.tags,
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
    differsFromCode: details.declared === null ? null : differences(details.declared, definition, defaults),
    cronOverride: viewOfOverride(details.override),
    version: job.version,
  }
}

function payloadErrorOf({ payload }: JobDefinition): Pick<JobView, 'payloadError'> {
  const payloadError = unreadableCode(payload)
  return payloadError ? { payloadError } : {}
}

function viewOfDefinition(definition: JobDefinition, { types, settings }: ViewDefaults): DefinitionView {
  const { trigger, misfire } = definition
  const timeoutMs = definition.timeoutMs ?? types.get(definition.jobType)?.timeoutMs ?? settings.defaultTimeoutMs
  return {
    cronExpression: trigger.type === 'cron' ? trigger.expression : null,
    timeZone: triggerFrom(trigger).timeZone,
    trigger,
    calendar: definition.calendar,
    priority: definition.priority,
    timeoutMinutes: timeoutMs === null ? null : timeoutMs / MINUTE_MS,
    retryCount: definition.maxAttempts - 1,
    payload: shownPayload(definition.jobType, wireValue(definition.payload)),
    misfirePolicy: misfire.policy,
    misfireThresholdSeconds: misfire.thresholdMs / 1_000,
    overlap: definition.overlap,
  }
}

function viewOfOverride(override: JobDetails['override']): JobView['cronOverride'] {
  if (override === null) return null
  const { source, expression, codeExpression } = override
  return { source, cronExpression: expression, codeCronExpression: codeExpression }
}

/** The fields in which a job differs from what the code declares, with what the code says. */
function differences(
  declared: JobDefinition,
  definition: JobDefinition,
  defaults: ViewDefaults,
): Readonly<Record<string, unknown>> {
  const [code, own] = [viewOfDefinition(declared, defaults), viewOfDefinition(definition, defaults)]
  const names = Object.keys(code) as (keyof DefinitionView)[]
  return Object.fromEntries(
    names.filter((name) => !isSameJson(code[name], own[name])).map((name) => [name, code[name]]),
  )
}
