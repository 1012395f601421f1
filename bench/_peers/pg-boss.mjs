import { PgBoss } from 'pg-boss'

const QUEUE = 'noop'
const CHUNK = 10_000
const OPTIONS = { max: 32, schedule: false }
/** A full batch is followed by the next one at once; `partition` gives the queue a table of its own. */
const WORK = { batchSize: 500, localConcurrency: 4, burstWhenBatchFull: true, pollingIntervalSeconds: 0.5 }

export function create() {
  let boss
  return {
    async setup(url) {
      boss = new PgBoss({ connectionString: url, ...OPTIONS })
      boss.on('error', (error) => {
        throw error
      })
      await boss.start()
      await boss.createQueue(QUEUE, { partition: true })
    },
    enqueueOne: (input) => boss.send(QUEUE, input),
    async enqueueMany(inputs) {
      for (let start = 0; start < inputs.length; start += CHUNK) {
        const chunk = inputs.slice(start, start + CHUNK)
        await boss.insert(
          QUEUE,
          chunk.map((data) => ({ data })),
        )
      }
    },
    async start(onJob) {
      await boss.work(QUEUE, WORK, async (jobs) => {
        for (const { data } of jobs) onJob(data)
      })
    },
    stop: () => boss.offWork(QUEUE),
    isLeft: `select exists (select from pgboss.job where state < 'completed') as answer`,
    kept: `select count(*)::int as answer from pgboss.job where state = 'completed'`,
  }
}
