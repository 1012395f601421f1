import { job, pontual } from '../../dist/index.js'
import { postgres } from '../../dist/postgres.js'

export function create() {
  let url
  let current
  let producer
  let worker
  const run = job('run', {
    durable: true,
    run: async (_input, ctx) => {
      const { activities, perform } = current
      const activity = () => {
        perform()
        return 1
      }
      for (let number = 1; number <= activities; number++) await ctx.run('activity', activity)
    },
  })
  return {
    async setup(place) {
      url = place.url
      producer = pontual({ store: postgres(url), jobs: [run] })
    },
    put: (runs) => producer.enqueueMany(run, Array.from({ length: runs })),
    async start(task) {
      current = task
      worker = pontual({ store: postgres(url), jobs: [run], node: { slots: task.atOnce } })
      await worker.start()
    },
    stop: () => worker.stop(),
    isLeft: `
      select
        exists (select from pontual.ready)
        or exists (select from pontual.leases)
        or exists (select from pontual.delayed) as answer`,
    recorded: `select count(*)::int as answer from pontual.history_entries where kind = 'activity'`,
  }
}
