import { readFileSync } from 'node:fs'
import { Absurd } from 'absurd-sdk'
import pg from 'pg'

const QUEUE = 'bench'
const POOL = 20
const CALLERS = 32

export function create() {
  let pool
  let absurd
  let current
  let worker
  return {
    async setup({ url }) {
      pool = new pg.Pool({ connectionString: url, max: POOL })
      await pool.query(readFileSync(process.env.PONTUAL_BENCH_ABSURD_SCHEMA, 'utf8'))
      absurd = new Absurd({ db: pool, queueName: QUEUE })
      await absurd.createQueue()
      absurd.registerTask({ name: 'run' }, async (_input, context) => {
        const { activities, perform } = current
        for (let number = 1; number <= activities; number++) {
          await context.step(`activity-${number}`, async () => {
            perform()
            return 1
          })
        }
      })
    },
    async put(runs) {
      let left = runs
      const caller = async () => {
        while (left-- > 0) await absurd.spawn('run', {})
      }
      await Promise.all(Array.from({ length: CALLERS }, caller))
    },
    async start(task) {
      current = task
      worker = await absurd.startWorker({ concurrency: task.atOnce })
    },
    stop: () => worker.close(),
    isLeft: `select exists (select from absurd.t_${QUEUE} where state <> 'completed') as answer`,
    recorded: `select count(*)::int as answer from absurd.c_${QUEUE}`,
  }
}
