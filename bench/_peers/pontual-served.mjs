import pg from 'pg'
import { cron, job, pontual } from '../../dist/index.js'
import { postgres } from '../../dist/postgres.js'
import { createApi } from '../../dist/server.js'
import { SECRET } from '../_api-data.mjs'

const NODE = { slots: 2_000 }
const CHUNK = 10_000
/** As many as run at once, so that all of them work under a cap and nobody waits for it. */
const CAP = NODE.slots
const PLAIN = 'plain'

/** Executions of a job, which are what the audit log tells of; `isHeld`: as a role that row security holds; `isServed`: with the service beside it. */
export function create({ isHeld, isServed }) {
  let url
  let onJob
  let producer
  let worker
  let made
  const noop = job('noop', { run: async (input) => await onJob(input) })
  const open = () => pontual({ store: postgres(url), jobs: [noop], node: NODE, tenantConcurrency: CAP })
  return {
    async setup(place) {
      url = isHeld ? await forPlainRole(place.url) : place.url
      producer = open()
      if (isServed) await createApi(producer, { identity: { jwt: { secret: SECRET } } })
      made = await producer.schedule(noop, { name: 'noop', trigger: cron('0 0 1 1 *'), input: {} })
    },
    async enqueueMany(inputs) {
      const { store, around } = await producer.opened()
      const now = around.time.now()
      const wanted = inputs.map((input) => ({ body: bodyOf(made, around.env.uuid(now), now, input), runAt: null }))
      for (let start = 0; start < wanted.length; start += CHUNK) {
        await store.executions.enqueue(wanted.slice(start, start + CHUNK))
      }
    },
    async start(handler) {
      onJob = handler
      worker = open()
      await worker.start()
    },
    stop: () => worker.stop(),
    isLeft: `select exists (select from pontual.ready) or exists (select from pontual.leases) as answer`,
    kept: `select count(*)::int as answer from pontual.results where status = 'SUCCESS'`,
  }
}

function bodyOf({ id: jobId, tenant, definition }, id, createdAt, input) {
  const { jobType, queue, priority, maxAttempts } = definition
  return {
    id,
    tenant,
    jobId,
    jobType,
    queue,
    priority,
    origin: 'schedule',
    payload: JSON.stringify(input),
    scheduledAt: null,
    maxAttempts,
    idempotencyKey: null,
    options: null,
    createdAt,
  }
}

/** The owner of its tables and nothing else: row security holds for it, as it does not for a superuser. */
async function forPlainRole(url) {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query('select current_database() as database, current_user as role')
  const [{ database, role }] = rows
  await client.query(
    `do $$ begin create role ${PLAIN} login createrole; exception when duplicate_object then null; end $$`,
  )
  await client.query(`alter role ${PLAIN} password '${new URL(url).password}'`)
  for (const group of ['pontual_engine', 'pontual_api']) {
    await client.query(`do $$ begin create role ${group} nologin; exception when duplicate_object then null; end $$`)
    await client.query(`grant ${group} to ${PLAIN}`)
  }
  await client.query(`grant create on database ${database} to ${PLAIN}`)
  await client.query(`grant ${PLAIN} to ${role}`)
  await client.end()
  return url.replace(`//${new URL(url).username}:`, `//${PLAIN}:`)
}
