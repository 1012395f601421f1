import { runContest } from './_contest.mjs'
import { reportContest } from './_queue-report.mjs'

const workloads = [
  {
    id: 'sustained',
    title: 'Enqueue and work together, jobs of 1 ms',
    workload: 'sustained',
    task: { callers: 32, jobMs: 1, most: 5_000, warmUpSeconds: 3, seconds: 8 },
    contestants: ['pontual', 'bare SQL', 'graphile-worker', 'pg-boss', 'BullMQ on PostgreSQL', 'BullMQ on Redis'],
    more: ['backlog'],
  },
]

reportContest(
  {
    title: 'Sustained',
    workloads,
    notes: [
      '32 callers enqueue one by one in the process that works; each holds back while 5,000 jobs wait or run, so that the rate could go on. The handler waits for 1 ms.',
    ],
  },
  await runContest(workloads),
)
