import { runContest } from './_contest.mjs'
import { reportContest } from './_queue-report.mjs'

const FILLED = { jobs: 1_000, executions: 5, others: 4 }
const CONNECTIONS = 32

function requests(verb, title, count) {
  return {
    id: `api-${verb}`,
    title,
    workload: 'api',
    aim: 'api',
    task: { verb, count, warmUp: count / 2, connections: CONNECTIONS },
    prepare: FILLED,
    contestants: ['pontual', 'bare Hono'],
    measures: ['requestRate'],
    more: ['p50', 'p99', 'requestStatements'],
  }
}

const workloads = [
  requests('list', 'List of 20 of 1,000 jobs', 3_000),
  requests('get', 'One job with its statistics and last executions', 3_000),
  requests('create', 'Jobs created', 2_000),
  requests('execute', 'Executions asked for', 4_000),
  {
    id: 'drain-served',
    title: 'Drain of executions of a job, with and without what the service needs',
    workload: 'drain',
    aim: 'served',
    task: { count: 50_000, warmUp: 5_000 },
    contestants: ['pontual', 'pontual, row security', 'pontual, row security and audit'],
  },
]

reportContest(
  {
    title: 'API',
    workloads,
    notes: [
      'A job is a request. From the first request until the answer to the last one: 32 connections that stay open, from another process, each of which waits for its answer; every status is checked. In the tables are 5 tenants with 1,000 jobs each, and 5,000 executions that have ended.',
      'Statements as the server counts them (pg_stat_statements). For each statement of a tenant Pontual sends another one before it, in the same round trip, that holds it to the rows of the tenant.',
    ],
  },
  await runContest(workloads, { shared_preload_libraries: 'pg_stat_statements' }),
)
