import { runContest } from './_contest.mjs'
import { reportContest } from './_queue-report.mjs'

const workloads = [
  {
    id: 'idle',
    title: 'A node that has nothing to do, for 30 s',
    workload: 'idle',
    task: { settlingMs: 5_000, seconds: 30 },
    contestants: ['pontual'],
    rounds: { pontual: 1 },
    measures: ['statements'],
  },
]

reportContest(
  {
    title: 'Idle',
    workloads,
    notes: ['Statements as the server counts them (pg_stat_statements), begin and commit among them.'],
  },
  await runContest(workloads, { shared_preload_libraries: 'pg_stat_statements' }),
)
