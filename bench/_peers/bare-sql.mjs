import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import pg from 'pg'

const SCHEMA = readFileSync(new URL('../../migrations/0001_engine.sql', import.meta.url), 'utf8')
const PARTITIONED = ['executions', 'results']
const LOOPS = 4
const BATCH = 500
const CHUNK = 10_000

const ENQUEUE = {
  name: 'enqueue',
  text: `
    with fresh as materialized (select uuidv7() as id, payload from unnest($2::text[]) as payload),
    body as (
      insert into pontual.executions (id, lane, priority, origin, payload, max_attempts, created_at)
      select id, $1, 2, 'enqueue', payload, 1, now() from fresh
    )
    insert into pontual.ready (lane, priority, execution_id, attempt, epoch)
    select $1, 2, id, 0, 0 from fresh
    returning execution_id`,
}

// What ended is recorded and the next batch is taken in one statement: one round trip and one commit for a batch.
const MOVE = {
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

/** The layout of Pontual without Pontual: what its tables allow on this machine. */
export function create() {
  let pool
  let lane
  let loops = []
  let isStopping = false
  const insert = async (inputs) => {
    const payloads = inputs.map((input) => JSON.stringify(input))
    await pool.query({ ...ENQUEUE, values: [lane, payloads] })
  }
  return {
    async setup(url) {
      pool = new pg.Pool({ connectionString: url, max: LOOPS })
      await pool.query('create schema pontual')
      await pool.query(SCHEMA)
      for (const table of PARTITIONED) {
        const range = 'for values from (minvalue) to (maxvalue)'
        await pool.query(`create table pontual.${table}_all partition of pontual.${table} ${range}`)
      }
      const { rows } = await pool.query(
        `insert into pontual.lanes (tenant, queue, job_type) values ('bench', 'default', 'noop') returning id`,
      )
      lane = rows[0].id
    },
    enqueueOne: coalesce(insert),
    async enqueueMany(inputs) {
      for (let start = 0; start < inputs.length; start += CHUNK) await insert(inputs.slice(start, start + CHUNK))
    },
    start(onJob) {
      isStopping = false
      const node = randomUUID()
      const loop = async () => {
        const client = await pool.connect()
        let ended = []
        while (!isStopping || ended.length > 0) {
          const { rows } = await client.query({ ...MOVE, values: [lane, ended, node, isStopping ? 0 : BATCH] })
          for (const { payload } of rows) onJob(JSON.parse(payload))
          if (rows.length === 0 && ended.length === 0) break
          ended = rows.map(({ id }) => id)
        }
        client.release()
      }
      loops = Array.from({ length: LOOPS }, loop)
    },
    async stop() {
      isStopping = true
      await Promise.all(loops)
    },
    isLeft: 'select exists (select from pontual.ready) or exists (select from pontual.leases) as answer',
    kept: `select count(*)::int as answer from pontual.results where status = 'SUCCESS'`,
  }
}

/** What arrives while a flush is under way goes with the next one. */
function coalesce(flush) {
  let waiting = []
  let isFlushing = false
  const drain = async () => {
    isFlushing = true
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        await flush(batch.map(({ input }) => input))
        for (const { resolve } of batch) resolve()
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    isFlushing = false
  }
  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject })
      if (!isFlushing) void drain()
    })
}
