import pg from 'pg'
import type { EffectLine } from './effect-line.ts'
import type { Proof } from './proof.ts'

/** A job that fires every so many milliseconds from an instant on. */
export interface Due {
  readonly jobId: string
  readonly name: string
  readonly startAt: number
  readonly intervalMs: number
  /** Whether it counts anew from the instant at which it makes up for what it has missed, as `fireNow` does: less than an interval is then left out, in which nothing was due. */
  readonly isCountedAnew: boolean
}

const FIRED = `
  select scheduled_at_ms as "from", scheduled_at_ms as "to", 1 as count
  from (select extract(epoch from scheduled_at)::float8 * 1000 as scheduled_at_ms from pontual.occurrences where job_id = $1) as fired`
const MISSED = `
  select
    extract(epoch from from_at)::float8 * 1000 as "from",
    extract(epoch from to_at)::float8 * 1000 as "to",
    count::int as count
  from pontual.missed
  where job_id = $1`
const DOUBLES = `
  select job_id || ' ' || scheduled_at as occurrence
  from pontual.executions
  where origin = 'schedule'
  group by job_id, scheduled_at
  having count(*) > 1`
/** Up to where a job has been decided about: what comes next stands in the job. */
const REACHED = `
  select extract(epoch from coalesce(next_fire_at, 'infinity'))::float8 * 1000 as next, status
  from pontual.jobs
  where id = $1`

/**
 * Each occurrence of each job up to now was fired, or stands in exactly one row that says why not; none has two executions, and none was begun under two. Gives how
 * many occurrences there were, and how many ran.
 */
export async function judgeOccurrences(
  url: string,
  due: readonly Due[],
  effects: readonly EffectLine[],
  proof: Proof,
): Promise<{ readonly accounted: number; readonly runs: number }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  let accounted = 0
  for (const job of due) accounted += await judgeJob(client, job, proof)
  const { rows } = await client.query<{ occurrence: string }>(DOUBLES)
  for (const { occurrence } of rows) proof.violate(`${occurrence} has several executions.`)
  await client.end()
  return { accounted, runs: judgeRuns(effects, proof) }
}

async function judgeJob(client: pg.Client, due: Due, proof: Proof): Promise<number> {
  const { jobId, name, startAt, intervalMs, isCountedAnew } = due
  type Stretch = { readonly from: number; readonly to: number; readonly count: number }
  const { rows: fired } = await client.query<Stretch>(FIRED, [jobId])
  const { rows: missed } = await client.query<Stretch>(MISSED, [jobId])
  const { rows: stored } = await client.query<{ next: number }>(REACHED, [jobId])
  const ledger = [...fired, ...missed].toSorted((a, b) => a.from - b.from)
  const isNext = (at: number) => at === nextAt || (isCountedAnew && at > nextAt && at < nextAt + intervalMs)
  let nextAt = startAt
  let accounted = 0
  for (const { from, to, count } of ledger) {
    const told = () => `${name}: ${from - startAt} to ${to - startAt} (${count}) where ${nextAt - startAt} comes next.`
    proof.require(isNext(from), told)
    proof.require(to === from + (count - 1) * intervalMs, told)
    nextAt = to + intervalMs
    accounted += count
  }
  const reached = stored[0]?.next ?? 0
  proof.require(isNext(reached), () => `${name}: accounted for up to ${nextAt}, but ${reached} is next.`)
  return accounted
}

/** How many occurrences were begun by a handler. */
function judgeRuns(effects: readonly EffectLine[], proof: Proof): number {
  const executions = new Map<string, string>()
  for (const { event, jobId, scheduledAt, executionId } of effects) {
    if (event !== 'began' || jobId === null) continue
    const occurrence = `${jobId} ${scheduledAt}`
    const before = executions.get(occurrence)
    executions.set(occurrence, executionId)
    proof.require(
      before === undefined || before === executionId,
      () => `${occurrence} was run as ${before} and as ${executionId}.`,
    )
  }
  return executions.size
}
