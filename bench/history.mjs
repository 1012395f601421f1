import { runContest } from './_contest.mjs'
import { reportContest } from './_queue-report.mjs'

const MILLION = 1_000_000
const task = { count: 100_000, warmUp: 10_000 }
const rounds = { 'graphile-worker': 1, 'pg-boss': 1 }
const shared = { workload: 'drain', rounds, more: ['claimUs'] }
const contestants = ['pontual', 'bare SQL', 'graphile-worker', 'pg-boss']

const workloads = [
  { id: 'drain-empty', title: 'Drain, nothing before', ...shared, task, contestants },
  {
    id: 'drain-finished',
    title: 'Drain, 1,000,000 have ended before',
    ...shared,
    task: { ...task, finished: MILLION },
    prepare: { finished: MILLION, waiting: 0 },
    // Graphile Worker keeps nothing of what has ended.
    contestants: contestants.filter((name) => name !== 'graphile-worker'),
  },
  {
    id: 'drain-waiting',
    title: 'Drain of the first 100,000 of 1,000,000',
    ...shared,
    task: { ...task, waiting: MILLION },
    prepare: { finished: 0, waiting: MILLION },
    contestants,
  },
  {
    id: 'refill',
    title: '1,000 wait, and the next 1,000 come when they have run',
    ...shared,
    workload: 'refill',
    task: { ...task, atOnce: 1_000 },
    contestants: ['pontual', 'bare SQL'],
  },
  {
    id: 'drain-snapshot',
    title: 'Drain beside a transaction that is open since 200,000 jobs',
    ...shared,
    task: { count: 100_000, warmUp: 200_000, isSnapshotHeld: true },
    contestants,
  },
]

reportContest(
  {
    title: 'Drain with a past, a backlog, and a reader',
    workloads,
    notes: [
      'What came before was enqueued and drained by the contestant itself; each run starts from a copy of that database. A claim is timed by the server (pg_stat_statements): what the statements that claim take for each job; in bare SQL, and where Pontual ends jobs in the same statement, with the end of the batch before.',
      'graphile-worker and pg-boss have one round.',
    ],
  },
  await runContest(workloads, { shared_preload_libraries: 'pg_stat_statements' }),
)
