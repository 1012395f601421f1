import { createPostgresBackend, Queue, runMigrations, Worker } from 'bullmq'
import pg from 'pg'

const QUEUE = 'noop'
const CHUNK = 1_000
const CALLERS = 32
const WAITING = ['wait', 'active', 'prioritized']
const POOL = 32
const CONCURRENCY = { postgres: 32, redis: 300 }

/** On `postgres` or on `redis`. */
export function create(backend) {
  const isOnPostgres = backend === 'postgres'
  const factory = isOnPostgres ? [createPostgresBackend] : []
  let connection
  let queue
  let worker
  return {
    async setup({ url, redis }) {
      if (isOnPostgres) await migrate(url)
      connection = isOnPostgres ? { connectionString: url, max: POOL } : { ...redis, maxRetriesPerRequest: null }
      queue = new Queue(QUEUE, { connection }, ...factory)
      await queue.waitUntilReady()
    },
    enqueueOne: (input) => queue.add('noop', input),
    async enqueueMany(inputs) {
      for (let start = 0; start < inputs.length; start += CHUNK) {
        const chunk = inputs.slice(start, start + CHUNK)
        await queue.addBulk(chunk.map((data) => ({ name: 'noop', data })))
      }
    },
    async start(onJob) {
      const options = { connection, concurrency: CONCURRENCY[backend] }
      worker = new Worker(QUEUE, async ({ data }) => await onJob(data), options, ...factory)
      await worker.waitUntilReady()
    },
    stop: () => worker.close(),
    isLeft: async () => Object.values(await queue.getJobCounts(...WAITING)).some((count) => count > 0),
    kept: () => queue.getCompletedCount(),
    async schedule(inputs, dueAt) {
      const at = new Date(dueAt)
      const pattern = `${at.getUTCSeconds()} ${at.getUTCMinutes()} ${at.getUTCHours()} * * *`
      let next = 0
      const caller = async () => {
        while (next < inputs.length) {
          const data = inputs[next++]
          await queue.upsertJobScheduler(`schedule-${data.n}`, { pattern, tz: 'UTC' }, { name: 'noop', data })
        }
      }
      await Promise.all(Array.from({ length: CALLERS }, caller))
    },
  }
}

async function migrate(url) {
  const client = new pg.Client(url)
  await client.connect()
  await runMigrations(client)
  await client.end()
}
