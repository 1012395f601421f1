import { OpenWorkflow } from 'openworkflow'
import { BackendPostgres } from 'openworkflow/postgres'
import postgres from 'postgres'

const POOL = 20
const CALLERS = 32
const MOST_IN_WORKER = 25

export function create() {
  let flow
  let run
  let current
  let workers
  return {
    async setup({ url }) {
      const migrating = await BackendPostgres.connect(url)
      await migrating.stop()
      // Columns as its own pool, of ten connections, names them.
      const pool = postgres(url, { max: POOL, transform: { column: { from: postgres.toCamel } } })
      flow = new OpenWorkflow({ backend: BackendPostgres.fromPool(pool) })
      run = flow.defineWorkflow({ name: 'run' }, async ({ step }) => {
        const { activities, perform } = current
        for (let number = 1; number <= activities; number++) {
          await step.run({ name: `activity-${number}` }, () => {
            perform()
            return 1
          })
        }
      })
    },
    async put(runs) {
      let left = runs
      const caller = async () => {
        while (left-- > 0) await run.run()
      }
      await Promise.all(Array.from({ length: CALLERS }, caller))
    },
    async start(task) {
      current = task
      const total = Math.ceil(task.atOnce / MOST_IN_WORKER)
      workers = Array.from({ length: total }, () => flow.newWorker({ concurrency: task.atOnce / total }))
      await Promise.all(workers.map((worker) => worker.start()))
    },
    stop: () => Promise.all(workers.map((worker) => worker.stop())),
    isLeft: `select exists (select from openworkflow.workflow_runs where status <> 'completed') as answer`,
    recorded: `select count(*)::int as answer from openworkflow.step_attempts where status = 'completed'`,
  }
}
