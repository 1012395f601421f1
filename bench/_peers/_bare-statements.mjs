/** Jobs as their payloads, in the lane $1, and where $3 says so a word to whoever listens. */
export const ENQUEUE = {
  name: 'enqueue',
  text: `
    with fresh as materialized (select uuidv7() as id, payload from unnest($2::text[]) as payload),
    body as (
      insert into pontual.executions (id, lane, priority, origin, payload, max_attempts, created_at)
      select id, $1, 2, 'enqueue', payload, 1, now() from fresh
    ), ready as (
      insert into pontual.ready (lane, priority, execution_id, attempt, epoch)
      select $1, 2, id, 0, 0 from fresh
    )
    select array_agg(id) as ids, case when $3::boolean then pg_notify('bench', '')::text end from fresh`,
}

/** What ended is recorded and the next batch is taken in one statement: one round trip and one commit for a batch. */
export const MOVE = {
  name: 'move',
  text: `
    with ended as (
      delete from pontual.leases where execution_id = any($2::uuid[]) and node_id = $3
      returning execution_id, attempt, epoch, node_id, claimed_at
    ), recorded as (
      insert into pontual.results (execution_id, status, attempt, epoch, is_reported, node_id, started_at, finished_at)
      select execution_id, 'SUCCESS', attempt, epoch, true, node_id, claimed_at, now() from ended
    ), taken as (
      delete from pontual.ready where ctid = any(array(
        select ctid from pontual.ready where lane = $1 order by priority, execution_id limit $4 for update skip locked
      ))
      returning execution_id, lane, priority, attempt, epoch
    ), leased as (
      insert into pontual.leases (execution_id, node_id, lane, priority, attempt, epoch, claimed_at)
      select execution_id, $3, lane, priority, attempt + 1, epoch + 1, now() from taken
    )
    select id, payload from pontual.executions where id = any(array(select execution_id from taken))`,
}

/** Schedules, and the firing of all that are due: an occurrence, an execution and the next instant for each. */
export const FIRE = {
  put: {
    text: `
      insert into pontual.jobs (id, tenant, name, status, origin, job_type, definition, payload, trigger_now, next_fire_at,
        times_triggered, version, created_at, updated_at)
      select uuidv7(), 'bench', 'schedule-' || number, 'ACTIVE', 'runtime', 'noop', '{}', payload, '{}', $2, 0, 1, now(), now()
      from unnest($1::text[]) with ordinality as input (payload, number)`,
  },
  due: {
    text: `
      with due as materialized (
        select id, payload, next_fire_at, uuidv7() as execution_id
        from pontual.jobs
        where next_fire_at <= now() and status in ('ACTIVE', 'APPROVED')
        for update
      ), moved as (
        update pontual.jobs set
          previous_fire_at = due.next_fire_at,
          next_fire_at = due.next_fire_at + interval '1 day',
          times_triggered = times_triggered + 1
        from due
        where jobs.id = due.id
      ), body as (
        insert into pontual.executions (id, lane, priority, job_id, origin, payload, scheduled_at, max_attempts, created_at)
        select execution_id, $1, 2, id, 'schedule', payload, next_fire_at, 1, now() from due
      ), ready as (
        insert into pontual.ready (lane, priority, execution_id, attempt, epoch, job_id)
        select $1, 2, execution_id, 0, 0, id from due
      ), recorded as (
        insert into pontual.occurrences (job_id, scheduled_at, execution_id, decision, recorded_at)
        select id, next_fire_at, execution_id, 'fired', now() from due
      )
      select count(*) from due`,
  },
}
