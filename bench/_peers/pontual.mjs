import { job, pontual } from '../../dist/index.js'
import { postgres } from '../../dist/postgres.js'

const NODE = { slots: 2_000 }

export function create() {
  let url
  let onJob
  let producer
  let worker
  const noop = job('noop', { run: async (input) => onJob(input) })
  const open = () => pontual({ store: postgres(url), jobs: [noop], node: NODE })
  return {
    async setup(databaseUrl) {
      url = databaseUrl
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
  }
}
