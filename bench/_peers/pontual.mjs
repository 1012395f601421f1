import { cron, job, pontual } from '../../dist/index.js'
import { postgres } from '../../dist/postgres.js'

const NODE = { slots: 2_000 }
const CALLERS = 32

export function create(aim) {
  let url
  let onJob
  let producer
  let worker
  const noop = job('noop', { run: async (input) => await onJob(input) })
  const limits = aim === 'tenants' ? { tenantConcurrency: 10 } : {}
  const open = () => pontual({ store: postgres(url), jobs: [noop], node: NODE, ...limits })
  return {
    async setup(place) {
      url = place.url
      producer = open()
    },
    enqueueOne: (input) => producer.enqueue(noop, input),
    enqueueMany: (inputs) => producer.enqueueMany(noop, inputs),
    async start(handler) {
      onJob = handler
      worker = open()
      await worker.start()
    },
    stop: () => worker.stop(),
    isLeft: `select exists (select from pontual.ready) or exists (select from pontual.leases) as answer`,
    kept: `select count(*)::int as answer from pontual.results where status = 'SUCCESS'`,
    claims: '%delete from pontual.ready%',
    async schedule(inputs, dueAt) {
      const trigger = cron(dailyAt(dueAt), { timeZone: 'UTC' })
      let next = 0
      const caller = async () => {
        while (next < inputs.length) {
          const input = inputs[next++]
          await producer.schedule(noop, { name: `schedule-${input.n}`, trigger, input })
        }
      }
      await Promise.all(Array.from({ length: CALLERS }, caller))
    },
    enqueueFor: (tenant, inputs) => producer.enqueueMany(noop, inputs, { tenant }),
    running: `
      select coalesce(max(running), 0) as answer
      from (select count(*) as running from pontual.leases group by pontual.tenant_of(lane)) as tenants`,
  }
}

function dailyAt(instant) {
  const at = new Date(instant)
  return `${at.getUTCSeconds()} ${at.getUTCMinutes()} ${at.getUTCHours()} * * *`
}
