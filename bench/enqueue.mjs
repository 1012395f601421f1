import { runContest } from './_contest.mjs'
import { reportContest } from './_queue-report.mjs'

const contestants = ['pontual', 'bare SQL', 'graphile-worker', 'pg-boss', 'BullMQ on PostgreSQL', 'BullMQ on Redis']
const SLOW = ['graphile-worker', 'pg-boss', 'BullMQ on PostgreSQL']

function fewer(task) {
  return Object.fromEntries(SLOW.map((name) => [name, task]))
}

const workloads = [
  {
    id: 'enqueue-1',
    title: 'One by one, 1 caller',
    workload: 'enqueue',
    task: { callers: 1, count: 5_000, warmUp: 2_000 },
    contestants,
    fewer: fewer({ count: 2_000, warmUp: 1_000 }),
  },
  {
    id: 'enqueue-32',
    title: 'One by one, 32 callers',
    workload: 'enqueue',
    task: { callers: 32, count: 100_000, warmUp: 20_000 },
    contestants,
    fewer: fewer({ count: 6_000, warmUp: 2_000 }),
  },
  {
    id: 'bulk-1',
    title: 'Bulk, 1 caller',
    workload: 'bulk',
    task: { callers: 1, count: 100_000, warmUp: 20_000 },
    contestants,
  },
  {
    id: 'bulk-4',
    title: 'Bulk, 4 callers',
    workload: 'bulk',
    task: { callers: 4, count: 100_000, warmUp: 20_000 },
    contestants,
  },
]

reportContest(
  {
    title: 'Enqueue',
    workloads,
    notes: ['A caller has its job, or its share of the jobs, committed before it goes on. Nobody works on the jobs.'],
  },
  await runContest(workloads),
)
