import type pg from 'pg'

/** What goes wrong in a large company: a `#` is another number each time. */
const ERRORS: readonly (readonly [name: string, message: string])[] = [
  ['Error', 'connect ECONNREFUSED 10.0.#.12:5432'],
  ['Error', 'getaddrinfo ENOTFOUND ftp.fornecedor-#.example'],
  ['Error', 'read ECONNRESET'],
  ['Error', 'socket hang up after # ms'],
  ['TimeoutError', 'The request to https://api.example/v1/items/# timed out.'],
  ['TypeError', "Cannot read properties of undefined (reading 'total')"],
  ['TypeError', 'invoice.lines is not iterable'],
  ['RangeError', 'Invalid time value'],
  ['SyntaxError', 'Unexpected token < in JSON at position #'],
  ['ValidationError', 'Line #: "valor" must be a number.'],
  ['ValidationError', 'Customer # has no address.'],
  ['ValidationError', 'The field "cnpj" of record # is invalid.'],
  ['ConflictError', 'Contract # was changed by somebody else.'],
  ['NotFoundError', 'There is no asset "#".'],
  ['HttpError', '401 Unauthorized: token expired at #'],
  ['HttpError', '403 Forbidden: /accounts/#'],
  ['HttpError', '404 Not Found: /invoices/#'],
  ['HttpError', '429 Too Many Requests: retry after # s'],
  ['HttpError', '500 Internal Server Error: request #'],
  ['HttpError', '502 Bad Gateway'],
  ['HttpError', '503 Service Unavailable'],
  ['DatabaseError', 'deadlock detected: process # waits for ShareLock'],
  ['DatabaseError', 'duplicate key value violates unique constraint "faturas_pkey" (#)'],
  ['DatabaseError', 'canceling statement due to statement timeout'],
  ['DatabaseError', 'remaining connection slots are reserved'],
  ['LdapError', 'InvalidCredentialsError: 80090308, comment #'],
  ['S3Error', 'NoSuchKey: dados/#.csv'],
  ['S3Error', 'SlowDown: please reduce your request rate'],
  ['SmtpError', '451 4.7.1 Try again later (#)'],
  ['AssertionError', 'Expected # rows, got #'],
]

export interface Past {
  readonly tenant: string
  readonly executions: number
  /** How many of them are of the last 24 hours. */
  readonly recent: number
  readonly days: number
}

/**
 * All runs of the past before anything of them is written. Few jobs run often and most seldom; ids tell when they were made; nothing ends after now. Every tenth
 * fails for good, some time out or are cancelled, and some succeed only at the second attempt.
 */
const DRAW = `
create temporary table past as
with own as materialized (
  select
    jobs.*,
    row_number() over (order by id) - 1 as place,
    count(*) over () as total
  from pontual.jobs
  where tenant = $1::text
),
lane as materialized (
  select job_type, id
  from pontual.intern_lanes(
    array(select $1::text from own group by job_type order by job_type),
    array(select 'default' from own group by job_type order by job_type),
    array(select job_type from own group by job_type order by job_type),
    array(select null::uuid from own group by job_type order by job_type)
  )
),
drawn as materialized (
  select
    n,
    floor(power(random(), 2) * (select max(total) from own))::bigint as place,
    date_trunc('milliseconds', now() - interval '20 minutes' - case
      when n <= $3::int then random() * interval '1400 minutes'
      else interval '1 day' + random() * ($4::int - 1) * interval '1 day'
    end) as due_at,
    random() as luck,
    random() as fate,
    -- Most start at once; some hours are bad.
    case when random() < 0.03 then 1000 + random() * 60000 else 5 + random() * 400 end as wait_ms,
    exp(5 + 3.5 * random()) as duration_ms,
    1 + floor(random() * 1000)::int as number,
    1 + floor(power(random(), 2) * cardinality($5::text[]))::int as kind
  from generate_series(1, $2::int) as n
),
told as (
  select
    drawn.*,
    own.id as job_id,
    lane.id as lane,
    own.payload,
    own.definition,
    case
      when luck < 0.10 then 'FAILED'
      when luck < 0.11 then 'TIMEOUT'
      when luck < 0.12 then 'CANCELLED'
      else 'SUCCESS'
    end as status,
    date_trunc('second', due_at) as scheduled_at,
    row_number() over (partition by own.id, date_trunc('second', due_at)) = 1 and fate > 0.05 as is_occurrence
  from drawn
  join own using (place)
  join lane using (job_type)
),
tried as (
  select
    told.*,
    ($5::text[])[kind] as error_name,
    replace(($6::text[])[kind], '#', number::text) as error_message,
    case
      when status = 'FAILED' then 1 + n % 4
      when status = 'SUCCESS' and fate < 0.10 then 2
      else 1
    end as attempts
  from told
)
select
  tried.*,
  (
    lpad(to_hex((date_part('epoch', due_at) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0')
    || '8' || substr(md5(n::text || $1::text), 1, 15)
  )::uuid as id,
  ('00000000-0000-7000-8000-00000000000' || 1 + n % 3)::uuid as node_id,
  date_trunc('milliseconds', due_at + wait_ms * interval '1 millisecond' + (attempts - 1) * interval '2 minutes') as started_at,
  date_trunc(
    'milliseconds',
    due_at + (wait_ms + least(duration_ms, 300000)) * interval '1 millisecond' + (attempts - 1) * interval '2 minutes'
  ) as finished_at,
  json_build_object(
    'name', error_name,
    'message', error_message,
    'stack', error_name || ': ' || error_message || E'\\n    at run (file:///app/jobs/import.js:' || kind || ':11:7)'
  )::text as failure
from tried`

/** What follows from it, table by table. */
const WRITE: readonly string[] = [
  `
insert into pontual.executions (id, lane, priority, job_id, origin, payload, scheduled_at, max_attempts, created_at)
select
  id,
  lane,
  case definition ->> 'priority' when 'HIGH' then 1 when 'LOW' then 3 else 2 end,
  job_id,
  case when is_occurrence then 'schedule' else 'manual' end,
  payload,
  case when is_occurrence then scheduled_at end,
  4,
  due_at
from past
order by id`,
  `
insert into pontual.occurrences (job_id, scheduled_at, execution_id, decision, recorded_at)
select job_id, scheduled_at, id, 'fired', due_at
from past
where is_occurrence
order by id`,
  `
insert into pontual.attempts (execution_id, attempt, epoch, status, node_id, started_at, ended_at, error)
select
  id,
  nth,
  nth,
  'FAILED',
  node_id,
  started_at - (attempts - nth) * interval '2 minutes',
  finished_at - (attempts - nth) * interval '2 minutes',
  failure
from past
cross join lateral generate_series(1, attempts - 1) as nth
order by id`,
  `
insert into pontual.results (execution_id, status, attempt, epoch, is_reported, node_id, started_at, finished_at, output, error)
select
  id,
  status,
  attempts,
  attempts,
  true,
  node_id,
  started_at,
  finished_at,
  case when status = 'SUCCESS' then json_build_object('rows', number)::text end,
  case status
    when 'FAILED' then failure
    when 'TIMEOUT' then '{"name":"TimeoutError","message":"The handler did not end within 1800000 ms.","code":"execution.timeout"}'
    when 'CANCELLED' then '{"name":"CancelledError","message":"não é mais preciso"}'
  end
from past
order by id`,
  `
insert into pontual.execution_logs (execution_id, sequence, attempt, at, level, message, fields)
select
  id,
  line,
  attempts,
  started_at + line * (finished_at - started_at) / 9,
  case when line = 8 and status <> 'SUCCESS' then 3 when line = 5 then 2 when line = 2 then 0 else 1 end,
  case when line = 8 and status <> 'SUCCESS' then 'Cannot go on' else 'Read a part of the source' end,
  json_build_object('part', line, 'rows', number)::text
from past
cross join generate_series(1, 8) as line
where n % 10 = 0
order by id, line`,
  // What fires stands where its occurrences have left it.
  `
update pontual.jobs
set
  previous_fire_at = seen.last_at,
  times_triggered = seen.times
from (
  select job_id, max(scheduled_at) as last_at, count(*) as times
  from past
  where is_occurrence
  group by job_id
) as seen
where jobs.id = seen.job_id`,
  // A job stops after an execution that failed for good: a few of those whose last one did have not been resumed.
  `
update pontual.jobs
set
  status = 'FAULTED',
  resume_status = 'ACTIVE',
  status_reason = ended.message
from (
  select distinct on (job_id) job_id, status, error_message as message
  from past
  order by job_id, finished_at desc
) as ended
where jobs.id = ended.job_id
  and ended.status = 'FAILED'
  and jobs.status = 'ACTIVE'
  and abs(hashtext(jobs.name)) % 4 = 0`,
]

/** A node was there all the time. */
const LIVE = `
insert into pontual.scheduler_minutes (minute)
select minute
from generate_series(
  date_trunc('minute', now()) - $1::int * interval '1 day',
  date_trunc('minute', now()),
  interval '1 minute'
) as minute
on conflict do nothing`

/** Writes executions of the tenant's jobs that have ended, with all that hangs on them, as nodes would have written them. */
export async function writePast(client: pg.Client, { tenant, executions, recent, days }: Past): Promise<void> {
  await client.query('select setseed(0.42)')
  const names = ERRORS.map(([name]) => name)
  const messages = ERRORS.map(([, message]) => message)
  await client.query(DRAW, [tenant, executions, recent, days, names, messages])
  for (const statement of WRITE) await client.query(statement)
  await client.query(LIVE, [days])
  await client.query('drop table past')
}
