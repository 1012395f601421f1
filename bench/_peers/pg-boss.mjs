import { PgBoss } from 'pg-boss'

const QUEUE = 'noop'
const CHUNK = 10_000
const CALLERS = 32
const CAP = 10
const OPTIONS = { max: 32, schedule: false }
/** A full batch is followed by the next one at once; `partition` gives the queue a table of its own. */
const WORK = { batchSize: 500, localConcurrency: 4, burstWhenBatchFull: true, pollingIntervalSeconds: 0.5 }
/** What differs by what is aimed at: options of the instance, of the queue, and of the workers. */
const AIMS = {
  throughput: {},
  latency: { instance: { useListenNotify: true }, queue: { notify: true }, work: { batchSize: 50 } },
  tenants: { work: { groupConcurrency: CAP } },
  schedules: { instance: { schedule: true, cronMonitorIntervalSeconds: 1, cronWorkerIntervalSeconds: 1 } },
}

export function create(aim) {
  const { instance, queue, work } = AIMS[aim]
  let boss
  const insert = async (jobs) => {
    for (let start = 0; start < jobs.length; start += CHUNK) await boss.insert(QUEUE, jobs.slice(start, start + CHUNK))
  }
  return {
    async setup({ url }) {
      boss = new PgBoss({ connectionString: url, ...OPTIONS, ...instance })
      boss.on('error', (error) => {
        throw error
      })
      await boss.start()
      await boss.createQueue(QUEUE, { partition: true, ...queue })
    },
    enqueueOne: (input) => boss.send(QUEUE, input),
    enqueueMany: (inputs) => insert(inputs.map((data) => ({ data }))),
    async start(onJob) {
      await boss.work(QUEUE, { ...WORK, ...work }, async (jobs) => {
        await Promise.all(jobs.map(({ data }) => onJob(data)))
      })
    },
    stop: () => boss.offWork(QUEUE),
    isLeft: `select exists (select from pgboss.job where state < 'completed') as answer`,
    kept: `select count(*)::int as answer from pgboss.job where state = 'completed'`,
    claims: '%for update of j skip locked%',
    /** It looks at the minute that has passed. */
    async schedule(inputs, dueAt) {
      const at = new Date(dueAt)
      const cron = `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`
      let next = 0
      const caller = async () => {
        while (next < inputs.length) {
          const input = inputs[next++]
          await boss.schedule(QUEUE, cron, input, { key: `schedule-${input.n}`, tz: 'UTC' })
        }
      }
      await Promise.all(Array.from({ length: CALLERS }, caller))
    },
    enqueueFor: (tenant, inputs) => insert(inputs.map((data) => ({ data, group: { id: tenant } }))),
    running: `
      select coalesce(max(running), 0) as answer
      from (select count(*) as running from pgboss.job where state = 'active' group by group_id) as tenants`,
  }
}
