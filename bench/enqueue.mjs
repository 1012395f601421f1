import { runContest } from './_contest.mjs'
import { reportContest } from './_queue-report.mjs'

const ONE_CALLER = 'One by one, 1 caller'
const MANY_CALLERS = 'One by one, 32 callers'
const BULK = 'Bulk, 1 caller'
const SHARED_BULK = 'Bulk, 4 callers'
const contestants = ['pontual', 'bare SQL', 'graphile-worker', 'pg-boss']

const outcome = await runContest([
  { title: ONE_CALLER, workload: 'enqueue', callers: 1, count: 2_000, warmUp: 500, contestants },
  { title: MANY_CALLERS, workload: 'enqueue', callers: 32, count: 10_000, warmUp: 2_000, contestants },
  { title: BULK, workload: 'bulk', callers: 1, count: 100_000, warmUp: 10_000, contestants },
  { title: SHARED_BULK, workload: 'bulk', callers: 4, count: 100_000, warmUp: 10_000, contestants },
])

reportContest(
  {
    name: 'enqueue',
    title: 'Enqueue',
    targets: {
      [ONE_CALLER]: { 'graphile-worker': 3, 'pg-boss': 3 },
      [MANY_CALLERS]: { 'graphile-worker': 20, 'pg-boss': 20 },
      [BULK]: { 'graphile-worker': 2.5 },
    },
    notes: ['A caller has its job, or its share of the jobs, committed before it goes on. Nobody works on the jobs.'],
  },
  outcome,
)
