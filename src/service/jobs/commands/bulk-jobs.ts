import { createHash } from 'node:crypto'
import type { Permission } from '../../../access/permission.ts'
import { requirePermission } from '../../../access/principal.ts'
import { PontualError } from '../../../errors.ts'
import { allowsVerb } from '../../../job/job-status.ts'
import { isTransient, StoreUnavailableError } from '../../../store/unavailable.ts'
import type { BulkAnswer, BulkFailure } from '../../answers.ts'
import type { BulkRequest, BulkVerb } from '../../requests.ts'
import type { Scope } from '../../scope.ts'
import { readReason } from '../../sent-values.ts'
import { type BulkJob, type BulkSelection, bulkSelection } from './bulk-selection.ts'
import { pauseJob, resumeJob } from './hold-job.ts'
import { executeJob } from './run-job.ts'
import { deleteJob } from './update-job.ts'

/** So many jobs are seen to in one call. */
const AT_ONCE = 50
const SAMPLE = 5

interface Command {
  readonly needs: Permission
  perform(scope: Scope, id: string, request: BulkRequest): Promise<unknown>
}

const COMMANDS: Readonly<Record<BulkVerb, Command>> = {
  pause: { needs: 'jobs:pause', perform: (scope, id, { reason }) => pauseJob(scope, id, { reason, until: null }) },
  resume: { needs: 'jobs:pause', perform: (scope, id) => resumeJob(scope, id) },
  execute: {
    needs: 'jobs:execute',
    perform: (scope, jobId, { id }) => executeJob(scope, jobId, id === undefined ? {} : { id: idOfRun(id, jobId) }),
  },
  delete: { needs: 'jobs:delete', perform: (scope, id) => deleteJob(scope, id) },
}

/**
 * Asks the same of many jobs: each is a command of its own, with its own audit entry, and what one of them refuses is told beside the others. Goes on by
 * cursor. To count is for whoever may read jobs.
 */
export async function bulkJobs(scope: Scope, request: BulkRequest): Promise<BulkAnswer> {
  const { verb, dryRun } = request
  requirePermission(scope.principal, 'jobs:read', ...(dryRun ? [] : [COMMANDS[verb].needs]))
  readReason(request.reason, 'reason')
  const selection = await bulkSelection(scope, request)
  return dryRun ? await count(selection, verb) : await perform(scope, selection, request)
}

async function count(selection: BulkSelection, verb: BulkVerb): Promise<BulkAnswer> {
  const { jobs, names: sample } = await selection.count(SAMPLE)
  const applicable = jobs.filter(({ status }) => allowsVerb(status, verb)).length
  return { matched: jobs.length, applicable, done: 0, failed: [], sample, nextCursor: null }
}

async function perform(scope: Scope, selection: BulkSelection, request: BulkRequest): Promise<BulkAnswer> {
  const { jobs, hasMore } = await selection.next(AT_ONCE)
  const failed: BulkFailure[] = []
  let last: BulkJob | null = null
  let matched = 0
  for (const job of jobs) {
    try {
      await COMMANDS[request.verb].perform(scope, job.id, request)
    } catch (error) {
      if (isOfJob(error)) failed.push({ ...namedAlone(job), error })
      // What was done is told, and a later call goes on from there; without anything done, there is only the error to tell.
      else if (last === null) throw error
      else return { ...answer(), nextCursor: selection.cursorBehind(last) }
    }
    matched += 1
    last = job
  }
  return { ...answer(), nextCursor: hasMore && last !== null ? selection.cursorBehind(last) : null }

  function answer(): Omit<BulkAnswer, 'nextCursor'> {
    return { matched, applicable: null, done: matched - failed.length, failed }
  }
}

/** Whether it is this job that refuses, and not the store that is away, or something that nobody has thought of. */
function isOfJob(error: unknown): error is PontualError {
  return error instanceof PontualError && !(error instanceof StoreUnavailableError) && !isTransient(error)
}

function namedAlone({ id, name }: BulkJob): BulkJob {
  return { id, name }
}

/** The id of a job's run, where the request that asks for it has one: sent again, it asks for the same. As all ids it begins with its time. */
function idOfRun(requestId: string, jobId: string): string {
  const hash = createHash('sha256').update(`${requestId} ${jobId}`).digest('hex')
  return `${requestId.slice(0, 15)}${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`
}
