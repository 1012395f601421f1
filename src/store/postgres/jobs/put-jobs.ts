import { PontualError } from '../../../errors.ts'
import type { JobChange, JobPutResult } from '../../jobs.ts'
import { sqlStateOf } from '../../unavailable.ts'
import type { Parts } from '../parts.ts'
import { changeFields, putJobChanges } from './put-job-statement.ts'

const UNIQUE_VIOLATION = '23505'
const TRIES = 20

export async function putJobs(parts: Parts, changes: readonly JobChange[]): Promise<JobPutResult[]> {
  if (isOneStatement(changes)) {
    const results = await tryBatch(parts, changes)
    // What lacks an answer met another's change; and a name may have become free by another change of the batch.
    return await inTurn(changes, (change, place) => {
      const result = results[place]
      return result === 'stored' || result === 'conflict' ? result : putOne(parts, change)
    })
  }
  return await inTurn(changes, (change) => putOne(parts, change))
}

/** Whether no change of a batch depends on another: one statement sees what was there before all of them. */
function isOneStatement(changes: readonly JobChange[]): boolean {
  const ids = new Set(changes.map(({ job }) => job.id))
  const names = new Set(changes.map(({ job }) => JSON.stringify([job.tenant, job.name])))
  return ids.size === changes.length && names.size === changes.length
}

async function inTurn<Result>(
  changes: readonly JobChange[],
  put: (change: JobChange, place: number) => Result | Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const [place, change] of changes.entries()) results.push(await put(change, place))
  return results
}

async function putOne(parts: Parts, change: JobChange): Promise<JobPutResult> {
  for (let tries = 0; tries < TRIES; tries++) {
    const [result] = await tryBatch(parts, [change])
    if (result) return result
  }
  const { id, name } = change.job
  throw new PontualError(
    'store.job_contended',
    `Job "${name}" could not be stored: it was changed ${TRIES} times meanwhile.`,
    { id, name },
  )
}

/** The answer is null for what met another's change. */
async function tryBatch(
  { driver, hints, testTime }: Parts,
  changes: readonly JobChange[],
): Promise<(JobPutResult | null)[]> {
  if (changes.length === 0) return []
  try {
    const fields = { testTime: testTime(), hint: hints.due('jobs'), ...changeFields(changes) }
    const values = putJobChanges.values(fields)
    const rows = await driver.query<{ id: string; result: JobPutResult | null }>(putJobChanges, values)
    const results = new Map(rows.map(({ id, result }) => [id, result]))
    return changes.map(({ job }) => results.get(job.id) ?? null)
  } catch (error) {
    // A name that was free when the statement began. Nothing is stored.
    if (sqlStateOf(error) === UNIQUE_VIOLATION) return changes.map(() => null)
    throw error
  }
}
