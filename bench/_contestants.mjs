import { existsSync } from 'node:fs'

/**
 * Who takes part in the queue benchmarks, each as its documentation says is best for the workload. `load` gives:
 *
 * - `setup(url)`: opens what it needs in an empty database. What is open ends with the process.
 * - `enqueueOne(input)`: resolves when the job is committed.
 * - `enqueueMany(inputs)`: all of them in the fastest way that the API has for many.
 * - `start(onJob)`, `stop()`: works through the jobs in this process; the handler does nothing but call `onJob(input)`.
 * - `isLeft`: SQL, true while a job waits or runs. `kept`: SQL, how many results are kept; absent where none are.
 */
export const CONTESTANTS = [
  {
    name: 'pontual',
    packages: ['pontual', 'pg'],
    settings: 'slots 2,000',
    isThere: () => existsSync(new URL('../dist/postgres.js', import.meta.url)),
    load: async () => (await import('./_peers/pontual.mjs')).create(),
  },
  {
    name: 'bare SQL',
    packages: ['pg'],
    settings:
      'the tables of Pontual without Pontual: 4 loops, batches of 500, the end of a batch and the next claim in one statement; single enqueues coalesced',
    load: async () => (await import('./_peers/bare-sql.mjs')).create(),
  },
  {
    name: 'graphile-worker',
    packages: ['graphile-worker'],
    settings:
      'as its page on performance has it: concurrentJobs 24, maxPoolSize 25, localQueue.size 500, completeJobBatchDelay 0, failJobBatchDelay 0; bulk by addJobs, 10,000 a call; it keeps no results',
    load: async () => (await import('./_peers/graphile-worker.mjs')).create({ isBatched: true }),
  },
  {
    name: 'graphile-worker, defaults',
    packages: ['graphile-worker'],
    settings: 'default settings: one job at a time, no batches',
    load: async () => (await import('./_peers/graphile-worker.mjs')).create({ isBatched: false }),
  },
  {
    name: 'pg-boss',
    packages: ['pg-boss'],
    settings:
      'batchSize 500, localConcurrency 4, burstWhenBatchFull, a partition of its own for the queue, max 32 connections, schedule off; bulk by insert, 10,000 a call; the handler returns nothing, so that no output is stored',
    load: async () => (await import('./_peers/pg-boss.mjs')).create(),
  },
]

export function contestant(name) {
  return CONTESTANTS.find((each) => each.name === name)
}
