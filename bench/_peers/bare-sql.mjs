import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ENQUEUE, FIRE, MOVE } from './_bare-statements.mjs'
import { coalesce } from './_coalesce.mjs'

const SCHEMA = [
  'functions/tenant_of',
  'functions/make_room_in',
  'functions/refuse_to_rewrite',
  'tables/tenants',
  'tables/jobs',
  'tables/executions',
]
  .map((path) => readFileSync(new URL(`../../sql/${path}.sql`, import.meta.url), 'utf8'))
  .join('\n')
const PARTITIONED = ['executions', 'results']
const LOOPS = 4
const BATCH = 500
const CHUNK = 10_000

/** The layout of Pontual without Pontual: what its tables allow on this machine. */
export function create(aim) {
  const isOtherProcess = aim === 'latency'
  const sleepers = new Set()
  const wakeOne = () => {
    const [wake] = sleepers
    wake?.()
  }
  let pool
  let lane
  let loops = []
  let isStopping = false
  const insert = async (inputs) => {
    const payloads = inputs.map((input) => JSON.stringify(input))
    await pool.query({ ...ENQUEUE, values: [lane, payloads, isOtherProcess] })
    wakeOne()
  }
  /** Until there is a word that jobs have come, or that it is over. */
  const doze = () =>
    new Promise((resolve) => {
      const wake = () => {
        sleepers.delete(wake)
        resolve()
      }
      sleepers.add(wake)
    })
  const work = async (onJob, node) => {
    const client = await pool.connect()
    let ended = []
    while (!isStopping || ended.length > 0) {
      const { rows } = await client.query({ ...MOVE, values: [lane, ended, node, isStopping ? 0 : BATCH] })
      if (rows.length === BATCH) wakeOne()
      const running = rows
        .map(({ payload }) => onJob(JSON.parse(payload)))
        .filter((result) => result instanceof Promise)
      if (running.length > 0) await Promise.all(running)
      if (rows.length === 0 && ended.length === 0 && !isStopping) await doze()
      ended = rows.map(({ id }) => id)
    }
    client.release()
  }
  return {
    async setup({ url }) {
      pool = new pg.Pool({ connectionString: url, max: LOOPS * 2 })
      lane = await laneIn(pool)
      const listener = new pg.Client(url)
      await listener.connect()
      await listener.query('listen bench')
      listener.on('notification', wakeOne)
    },
    enqueueOne: coalesce(insert),
    async enqueueMany(inputs) {
      for (let start = 0; start < inputs.length; start += CHUNK) await insert(inputs.slice(start, start + CHUNK))
    },
    start(onJob) {
      isStopping = false
      const node = randomUUID()
      loops = Array.from({ length: LOOPS }, () => work(onJob, node))
    },
    async stop() {
      isStopping = true
      for (const wake of sleepers) wake()
      await Promise.all(loops)
    },
    isLeft: 'select exists (select from pontual.ready) or exists (select from pontual.leases) as answer',
    kept: `select count(*)::int as answer from pontual.results where status = 'SUCCESS'`,
    claims: '%delete from pontual.ready%',
    async schedule(inputs, dueAt) {
      await pool.query({ ...FIRE.put, values: [inputs.map((input) => JSON.stringify(input)), new Date(dueAt)] })
      void sleep(dueAt - Date.now() + 1).then(async () => {
        await pool.query({ ...FIRE.due, values: [lane] })
        wakeOne()
      })
    },
  }
}

async function laneIn(pool) {
  const { rows: found } = await pool.query(`select to_regclass('pontual.lanes') is not null as "isThere"`)
  if (!found[0].isThere) {
    await pool.query('create schema pontual')
    await pool.query(SCHEMA)
    for (const table of PARTITIONED) {
      const range = 'for values from (minvalue) to (maxvalue)'
      await pool.query(`create table pontual.${table}_all partition of pontual.${table} ${range}`)
    }
    await pool.query(`
      with tenant as (insert into pontual.tenants (name) values ('bench') returning id)
      insert into pontual.lanes (id, tenant_id, queue, job_type)
      select id::bigint << 20, id, 'default', 'noop' from tenant`)
  }
  const { rows } = await pool.query('select id from pontual.lanes')
  return rows[0].id
}
