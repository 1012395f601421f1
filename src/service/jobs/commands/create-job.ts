import { type Principal, requirePermission } from '../../../access/principal.ts'
import { createJob } from '../../../engine/lifecycle/create-job.ts'
import type { Job } from '../../../job/job.ts'
import { DETAIL_DEFAULTS, JOB_FIELD_NAMES, type JobDraft } from '../../../job/job-fields.ts'
import { formatInstant } from '../../../time/instant.ts'
import { FieldProblems } from '../../field-problems.ts'
import type { JobView, NewJobFields } from '../../job-view.ts'
import type { MakeOptions } from '../../requests.ts'
import type { Scope } from '../../scope.ts'
import { viewDefaults, viewOfJob } from '../fields/describe-job.ts'
import { blankDefinition, readKnownType } from '../fields/job-type.ts'
import { fieldSurroundings, withFields } from '../fields/read-fields.ts'
import { requireRoomForFrequent, requireRoomForJob } from './quotas.ts'

/** Makes a job. */
export async function createNewJob(scope: Scope, fields: NewJobFields, { id }: MakeOptions = {}): Promise<JobView> {
  requirePermission(scope.principal, 'jobs:create')
  const made = await madeBefore(scope, id)
  if (made) return viewOfJob(made, await viewDefaults(scope))
  const draft = await readNewJob(scope, fields)
  const { name, definition, details } = draft
  if (details.isSensitive) requireScheduler(scope.principal)
  await requireRoomForFrequent(scope, definition.trigger)
  await requireRoomForJob(scope)
  const job = await createJob(scope.around, { ...details, name, definition, id, tenant: scope.tenant }, scope.by)
  scope.opened.changed()
  return viewOfJob(job, await viewDefaults(scope))
}

/** Whoever decides what a sensitive job would run, or when, needs to be allowed to. */
export function requireScheduler(principal: Principal): void {
  requirePermission(principal, 'jobs:schedule')
}

async function madeBefore({ store, tenant }: Scope, id: string | undefined): Promise<Job | null> {
  const [job] = id === undefined ? [] : await store.jobs.find([id])
  return job?.tenant === tenant ? job : null
}

async function readNewJob(scope: Scope, fields: NewJobFields): Promise<JobDraft> {
  const problems = new FieldProblems()
  for (const name of Object.keys(fields)) {
    if (!KNOWN.has(name)) problems.add(`/${name}`, 'unknown_field', `There is no field "${name}" to set.`)
  }
  if (fields.name === undefined) problems.add('/name', 'required', 'name is required.')
  const type = (await readKnownType(scope, problems, fields.jobType))?.type ?? null
  const placeholder = { type: 'once', at: formatInstant(scope.now()) } as const
  const blank = {
    name: '',
    details: { ...DETAIL_DEFAULTS, isSensitive: type?.isSensitive ?? false },
    definition: blankDefinition(fields.jobType, type, placeholder, scope.rules.onFaulted),
  }
  const draft = await withFields(problems, blank, fields, await fieldSurroundings(scope, type, true))
  problems.throwIfAny()
  return draft
}

const KNOWN: ReadonlySet<string> = new Set<string>(['jobType', ...JOB_FIELD_NAMES])
