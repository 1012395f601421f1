import { requirePermission } from '../../../access/principal.ts'
import type { JobDecision } from '../../../engine/lifecycle/change-job.ts'
import { deletedJob } from '../../../engine/lifecycle/deleted-job.ts'
import { disabledJob, enabledJob } from '../../../engine/lifecycle/disabled-job.ts'
import { editedJob } from '../../../engine/lifecycle/edited-job.ts'
import { resetJob } from '../../../engine/lifecycle/reset-job.ts'
import type { Job } from '../../../job/job.ts'
import { requireVerb } from '../../../job/job-status.ts'
import { FieldProblems } from '../../field-problems.ts'
import type { JobFieldsUpdate, JobView } from '../../job-view.ts'
import type { ChangeOptions } from '../../requests.ts'
import type { Scope } from '../../scope.ts'
import { viewOfJob } from '../fields/describe-job.ts'
import { fieldSurroundings } from '../fields/field-surroundings.ts'
import { draftOf } from '../fields/job-draft.ts'
import { withFields } from '../fields/job-fields.ts'
import { type AskedUpdate, readAsked } from './asked-fields.ts'
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
  const draft = await withFields(problems, draftOf(job), fields, await fieldSurroundings(scope, type, false))
  problems.throwIfAny()
  const { description: _, tags: _tags, ...work } = fields
  const isSensitive = job.details.isSensitive || draft.isSensitive
  if (isSensitive && Object.keys(work).length > 0) requireScheduler(scope.principal)
  await requireRoomForFrequent(scope, draft.definition.trigger, job.definition.trigger)
  return await editedJob(scope.around, job, draft, scope.by)
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
