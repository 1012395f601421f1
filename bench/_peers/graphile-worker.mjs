import { Logger, makeWorkerUtils, parseCronItems, run } from 'graphile-worker'

// Without this each job that succeeds is a line of log.
process.env.NO_LOG_SUCCESS = '1'
const logger = new Logger(() => () => {})
const CHUNK = 10_000

/** As https://worker.graphile.org/docs/performance has it, under "quick stats in optimal conditions". */
const BATCHED = {
  concurrentJobs: 24,
  maxPoolSize: 25,
  localQueue: { size: 500 },
  completeJobBatchDelay: 0,
  failJobBatchDelay: 0,
}

export function create({ isBatched }) {
  const settings = isBatched ? BATCHED : {}
  let preset
  let utils
  let runner
  let parsedCronItems
  return {
    async setup({ url }) {
      preset = { worker: { ...settings, connectionString: url, logger } }
      utils = await makeWorkerUtils({ preset })
      await utils.migrate()
    },
    enqueueOne: (input) => utils.addJob('noop', input),
    async enqueueMany(inputs) {
      for (let start = 0; start < inputs.length; start += CHUNK) {
        const chunk = inputs.slice(start, start + CHUNK)
        await utils.addJobs(chunk.map((payload) => ({ identifier: 'noop', payload })))
      }
    },
    async start(onJob) {
      const taskList = { noop: async (input) => await onJob(input) }
      runner = await run({ preset, taskList, noHandleSignals: true, ...(parsedCronItems ? { parsedCronItems } : {}) })
    },
    stop: () => runner.stop(),
    // A job that succeeded is deleted: there is no result to count.
    isLeft: 'select exists (select from graphile_worker._private_jobs) as answer',
    /** Its crontab belongs to the process that runs it, and knows minutes. */
    async schedule(inputs, dueAt) {
      const at = new Date(dueAt)
      const match = `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`
      parsedCronItems = parseCronItems(
        inputs.map((payload) => ({ task: 'noop', match, payload, identifier: `schedule-${payload.n}` })),
      )
    },
  }
}
