import type { OpenOptions } from '../../engine/opened.ts'
import type { Job, JobDefinition } from '../../job/job.ts'
import { fires } from '../../job/job-status.ts'
import { triggerFrom } from '../../time/triggers/from-json.ts'
import type { JobView } from '../job-view.ts'
import { wireInstant, wireValue } from '../wire-value.ts'
import { isSameJson } from './same-json.ts'

/** What a job view needs to know beside the job: what holds where a job says nothing. */
export type ViewDefaults = Pick<OpenOptions, 'types' | 'settings'>

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

const MINUTE_MS = 60_000

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
    statusReason: job.statusReason,
    pausedUntil: wireInstant(job.pausedUntil),
    requiresTwoStepExecution: details.isSensitive,
    tags: details.tags,
    nextExecution: fires(job.status) ? wireInstant(schedule.nextFireAt) : null,
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
    version: job.version,
  }
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
    payload: wireValue(definition.payload),
    misfirePolicy: misfire.policy,
    misfireThresholdSeconds: misfire.thresholdMs / 1_000,
    overlap: definition.overlap,
  }
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
