/** The SQL that statements share which end an execution, or give it back to the queues. */

/** The columns of `ready` and `delayed` that keep their values when an execution is given back. */
export const QUEUE_COLUMNS = 'execution_id, lane, epoch, priority, job_id'

/** The columns of a lease that describe how an attempt went. */
export const ATTEMPT_OF_LEASE = 'execution_id, attempt, epoch, node_id, claimed_at, progress, progress_note'

/** {@link ATTEMPT_OF_LEASE} of a row that has no lease. */
export const ATTEMPT_OF_QUEUE = `execution_id, attempt, epoch, null::uuid as node_id, null::timestamptz as claimed_at,
    null::float8 as progress, null::text as progress_note`

/** The columns of `attempts` for {@link ENDED_VALUES}. */
export const ATTEMPT_COLUMNS = 'execution_id, attempt, epoch, node_id, started_at, ended_at'
export const ENDED_VALUES = 'execution_id, attempt, epoch, node_id, claimed_at, now'

/** The columns of `results` for {@link RESULT_VALUES}. */
export const RESULT_COLUMNS = 'execution_id, attempt, epoch, node_id, started_at, finished_at, progress, progress_note'
export const RESULT_VALUES = `${ENDED_VALUES}, progress, progress_note`

/** Finds a row of `input` in the queue. Rows of `ready` are never updated, so that the place of a row stays valid during the statement. */
export const PLACE_IN_READY = `select ctid as place
      from pontual.ready
      where ready.lane = input.lane
        and ready.priority = input.priority
        and ready.execution_id = input.execution_id`

/** Unblocks the successors of the rows of `source` that were cancelled, which have an epoch. */
export const followCancelled = (source: string): string => `over as materialized (
  select array_agg(execution_id) as ids
  from ${source}
  where epoch is not null
),
followed as (
  select unnest(pontual.follow_up(ids, array_fill('CANCELLED'::text, array[cardinality(ids)]), now)) as id
  from over
  cross join clock
  where ids is not null
)`

/** Faults the jobs in the column `jobId` of the rows of `source` that `hasFailed` selects. */
export const faultJobs = (source: string, jobId: string, hasFailed: string): string => `
  update pontual.jobs
  set
    status = 'FAULTED',
    resume_status = status,
    status_reason = (
      select 'Execution ' || min(${source}.execution_id::text) || ' has failed for good.'
      from ${source}
      where ${source}.${jobId} = jobs.id
        and ${source}.${hasFailed}
    ),
    version = version + 1,
    updated_at = (select now from clock)
  where id = any(array(select ${jobId} from ${source} where ${hasFailed}))
    and status in ('ACTIVE', 'APPROVED')`
