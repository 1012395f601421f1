import { existsSync } from 'node:fs'

/**
 * Who takes part in the queue benchmarks, each as its documentation says is best for the workload. `server` is where its jobs are kept: PostgreSQL
 * where it is absent; `isThere` whether it can take part, and `lacks` what it lacks otherwise. `load(aim)`, where `aim` is `throughput`, `latency`,
 * `tenants`, `schedules`, `durable`, `served` or `api`, gives:
 *
 * - `setup({ url, redis })`: opens what it needs, in an empty database or in one that it has set up before. What is open ends with the process.
 * - `enqueueOne(input)`: resolves when the job is committed.
 * - `enqueueMany(inputs)`: all of them in the fastest way that the API has for many.
 * - `start(onJob)`, `stop()`: works through the jobs in this process; the handler does nothing but wait for `onJob(input)`.
 * - `isLeft`: SQL, or a function, true while a job waits or runs. `kept`: the same, how many results are kept; absent where none are.
 * - `claims`: what the text of the statement that takes jobs is `ilike`; absent where that is not looked at.
 * - `schedule(inputs, dueAt)`: one cron schedule for each, all due at one instant. Its `start` follows.
 * - `enqueueFor(tenant, inputs)`, `running`: jobs of a tenant; SQL, the most that run of one tenant.
 *
 * With `durable` it is instead `setup`, `stop`, `isLeft`, and:
 *
 * - `put(runs)`: so many runs wait to be started. Absent where a product starts a run where it is called, without a queue.
 * - `start({ runs, atOnce, activities, perform })`: works through the runs, `atOnce` of them at a time; each waits for `perform()` in as many activities, one
 *   after the other.
 * - `recorded`: SQL, how many activities are on record.
 *
 * With `api` it is `setup`, and:
 *
 * - `fill(task)`: tables with something in them.
 * - `serve()`: serves requests in this process; resolves to the port.
 */
export const CONTESTANTS = [
  {
    name: 'pontual',
    packages: ['pontual', 'pg'],
    settings: 'slots 2,000; with durable runs as many slots as run at once',
    isThere: () => existsSync(new URL('../dist/postgres.js', import.meta.url)),
    load: async (aim) => {
      if (aim === 'durable') return (await import('./_peers/pontual-durable.mjs')).create()
      if (aim === 'api') return (await import('./_peers/pontual-api.mjs')).create()
      if (aim === 'served') return await served({})
      return (await import('./_peers/pontual.mjs')).create(aim)
    },
  },
  {
    name: 'pontual, row security',
    packages: ['pontual', 'pg'],
    settings: 'the same, as a role that owns the tables and is no superuser, so that row security holds',
    load: () => served({ isHeld: true }),
  },
  {
    name: 'pontual, row security and audit',
    packages: ['pontual', 'pg'],
    settings: 'the same, with the service: every end is numbered and stands in the audit log',
    load: () => served({ isHeld: true, isServed: true }),
  },
  {
    name: 'bare SQL',
    packages: ['pg'],
    settings:
      'the tables of Pontual without Pontual: 4 loops, batches of 500, the end of a batch and the next claim in one statement; single enqueues coalesced',
    load: async (aim) => (await import('./_peers/bare-sql.mjs')).create(aim),
  },
  {
    name: 'graphile-worker',
    packages: ['graphile-worker'],
    settings:
      'as its page on performance has it: concurrentJobs 24, maxPoolSize 25, localQueue.size 500, completeJobBatchDelay 0, failJobBatchDelay 0; bulk by addJobs, 10,000 a call; schedules as items of its crontab; it keeps no results',
    load: async () => (await import('./_peers/graphile-worker.mjs')).create({ isBatched: true }),
  },
  {
    name: 'graphile-worker (defaults)',
    packages: ['graphile-worker'],
    settings: 'default settings: one job at a time, no batches',
    load: async () => (await import('./_peers/graphile-worker.mjs')).create({ isBatched: false }),
  },
  {
    name: 'pg-boss',
    packages: ['pg-boss'],
    settings:
      'batchSize 500, localConcurrency 4, burstWhenBatchFull, a partition of its own for the queue, max 32 connections, schedule off; bulk by insert, 10,000 a call; the handler returns nothing, so that no output is stored; latency with useListenNotify and notify, batchSize 50; tenants as groups with groupConcurrency 10; schedules with keys, cronMonitorIntervalSeconds and cronWorkerIntervalSeconds 1',
    load: async (aim) => (await import('./_peers/pg-boss.mjs')).create(aim),
  },
  {
    name: 'BullMQ on PostgreSQL',
    packages: ['bullmq', 'pg'],
    settings:
      'createPostgresBackend, concurrency 32 as the upper end of its table, a pool of 32 connections; bulk by addBulk, 1,000 a call; finished jobs are kept, which is its default',
    load: async () => (await import('./_peers/bullmq.mjs')).create('postgres'),
  },
  {
    name: 'BullMQ on Redis',
    packages: ['bullmq', 'ioredis'],
    server: 'redis',
    settings:
      'concurrency 300, the fastest of 32, 100 and 300; bulk by addBulk, 1,000 a call; finished jobs are kept, which is its default; a crash of the machine may lose the last second',
    load: async () => (await import('./_peers/bullmq.mjs')).create('redis'),
  },
  {
    name: 'coalesced inserts',
    packages: ['pg'],
    settings:
      'no runs at all: a row for each activity in a table with a key, all that come together in one statement; 2 connections',
    load: async () => (await import('./_peers/bare-durable.mjs')).create({ isCoalesced: true }),
  },
  {
    name: 'single inserts',
    packages: ['pg'],
    settings: 'the same, a statement for each activity; 20 connections',
    load: async () => (await import('./_peers/bare-durable.mjs')).create({ isCoalesced: false }),
  },
  {
    name: 'DBOS',
    packages: ['@dbos-inc/dbos-sdk'],
    settings:
      'runs are started where they are called, by as many callers as run at once, which is faster than its queue; its default pool of 10 connections, which is faster than 20 and 50',
    load: async () => (await import('./_peers/dbos-durable.mjs')).create(),
  },
  {
    name: 'OpenWorkflow',
    packages: ['openworkflow', 'postgres'],
    settings:
      'workers of 25 runs each, which together are faster than one of 100, a pool of 20 connections, which is faster than its default of 10',
    load: async () => (await import('./_peers/openworkflow-durable.mjs')).create(),
  },
  {
    name: 'bare Hono',
    packages: ['hono', '@hono/node-server', 'jose', 'pg'],
    settings:
      'the same questions to the tables of Pontual, and the same rows written, behind Hono on @hono/node-server: a check of the token, a filter by tenant, JSON; 10 connections, as Pontual has; it checks nothing that is sent, and no rights',
    load: async () => (await import('./_peers/bare-hono.mjs')).create(),
  },
  {
    name: 'Absurd',
    packages: ['absurd-sdk'],
    settings: 'one worker with as much concurrency as run at once, a pool of 20 connections',
    lacks: `its schema is in no npm package; PONTUAL_BENCH_ABSURD_SCHEMA takes the path of the absurd.sql of its release`,
    isThere: () => existsSync(process.env.PONTUAL_BENCH_ABSURD_SCHEMA ?? ''),
    load: async () => (await import('./_peers/absurd-durable.mjs')).create(),
  },
]

/** Executions of a job, with what the service asks of the engine or without. */
async function served({ isHeld = false, isServed = false }) {
  return (await import('./_peers/pontual-served.mjs')).create({ isHeld, isServed })
}

export function contestant(name) {
  return CONTESTANTS.find((each) => each.name === name)
}
