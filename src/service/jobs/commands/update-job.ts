import { requirePermission } from '../../../access/principal.ts'
import type { JobDecision } from '../../../engine/lifecycle/change-job.ts'
import { deletedJob, disabledJob, enabledJob } from '../../../engine/lifecycle/change-status.ts'
import { editedJob, resetJob } from '../../../engine/lifecycle/redefine-job.ts'
import { isSameJson } from '../../../job/execution/payload.ts'
import type { Job } from '../../../job/job.ts'
import { JOB_FIELD_NAMES, needsApproval } from '../../../job/job-fields.ts'
import { requireVerb } from '../../../job/job-status.ts'
import { didYouMean, nearest } from '../../../nearest.ts'
import { FieldProblems, pointerTo } from '../../field-problems.ts'
import type { JobFieldsUpdate, JobView } from '../../job-view.ts'
import type { ChangeOptions } from '../../requests.ts'
import type { Scope } from '../../scope.ts'
import { viewOfJob } from '../fields/describe-job.ts'
import { type AskedFields, fieldSurroundings, withFields } from '../fields/read-fields.ts'
import { changeOwnJob, requireVersion } from './change-job.ts'
import { requireScheduler } from './create-job.ts'
import { requireRoomForFrequent } from './quotas.ts'

/** Changes what is sent and differs from what there is. */
export async function updateJob(
  scope: Scope,
  id: string,
  update: JobFieldsUpdate,
  options: ChangeOptions = {},
): Promise<JobView> {
  requirePermission(scope.principal, 'jobs:update')
  return await changeOwnJob(scope, id, options, async (job) => {
    const { version } = update
    if (version !== undefined) requireVersion(job, version as number)
    const problems = new FieldProblems()
    const asked = readAsked(problems, viewOfJob(job, scope.opened.options), update)
    return asked.status === null
      ? await editJob(scope, job, asked, problems)
      : switchJob(scope, job, asked.status, problems)
  })
}

async function editJob(
  scope: Scope,
  job: Job,
  { fields }: AskedUpdate,
  problems: FieldProblems,
): Promise<JobDecision | null> {
  requireVerb(job, 'update')
  const type = scope.around.types.get(job.definition.jobType) ?? null
  const draft = await withFields(problems, job, fields, await fieldSurroundings(scope, type, false))
  problems.throwIfAny()
  const { name, definition, details } = draft
  const isSensitive = job.details.isSensitive || details.isSensitive
  if (isSensitive && Object.keys(fields).some(needsApproval)) requireScheduler(scope.principal)
  await requireRoomForFrequent(scope, definition.trigger, job.definition.trigger)
  return await editedJob(scope.around, job, { name, definition, ...details }, scope.by)
}

function switchJob(
  { around, by }: Scope,
  job: Job,
  status: 'ACTIVE' | 'DISABLED',
  problems: FieldProblems,
): Promise<JobDecision> | JobDecision {
  problems.throwIfAny()
  return status === 'ACTIVE' ? enabledJob(around, job, by) : disabledJob(job, null, by)
}

/** Deletes a job: its name is free, and what is known of it stays. */
export async function deleteJob(scope: Scope, id: string, options: ChangeOptions = {}): Promise<void> {
  requirePermission(scope.principal, 'jobs:delete')
  await changeOwnJob(scope, id, options, (job) => deletedJob(scope.around, job, scope.by))
}

/** Takes away what an operator has put in the place of what the code declares. */
export async function resetToCode(scope: Scope, id: string): Promise<JobView> {
  requirePermission(scope.principal, 'jobs:update')
  return await changeOwnJob(scope, id, {}, (job) => {
    if (job.details.isSensitive) requireScheduler(scope.principal)
    return resetJob(scope.around, job, scope.by)
  })
}

/** What an update asks for, once all that is only sent back is left out. */
interface AskedUpdate {
  readonly fields: AskedFields
  readonly status: 'ACTIVE' | 'DISABLED' | null
}

const SETTABLE: ReadonlySet<string> = new Set(JOB_FIELD_NAMES)

/** They change by themselves between the moment they are read and the moment they are sent back. */
const CHANGING: ReadonlySet<string> = new Set([
  'statistics',
  'lastExecutions',
  'recentExecutions',
  'nextExecution',
  'isSuspended',
  'updatedAt',
  'version',
])

/** Tells what is to be changed from what is sent back as it was read; what cannot be changed is noted. */
function readAsked(problems: FieldProblems, view: JobView, update: JobFieldsUpdate): AskedUpdate {
  const fields: Record<string, unknown> = {}
  let status: AskedUpdate['status'] = null
  for (const [name, value] of Object.entries(update)) {
    if (value === undefined || CHANGING.has(name)) continue
    if (!Object.hasOwn(view, name)) {
      problems.add(pointerTo(name), 'unknown_field', `There is no such field.${didYouMean(name, SETTABLE)}`, {
        suggestion: nearest(name, SETTABLE),
      })
      continue
    }
    if (isSameJson(value, view[name as keyof JobView])) continue
    if (SETTABLE.has(name)) fields[name] = value
    else if (name === 'status' && (value === 'ACTIVE' || value === 'DISABLED')) status = value
    else problems.add(pointerTo(name), 'read_only_field', readOnly(name), { name })
  }
  if (status !== null && Object.keys(fields).length > 0) {
    problems.add('/status', 'status_not_alone', 'Change the status by itself, and other fields in another request.')
  }
  return { fields, status }
}

function readOnly(name: string): string {
  if (name === 'jobType') return 'The job type of a job cannot be changed; make another job.'
  if (name === 'status') return 'status can be set to DISABLED, and back to ACTIVE; for the rest there are verbs.'
  return 'This field cannot be set. It may be sent back as it was read.'
}
