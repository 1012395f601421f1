import { runContest } from './_contest.mjs'
import { reportContest } from './_queue-report.mjs'

const DEFAULTS = 'graphile-worker (defaults)'
const FEW = { count: 10_000, warmUp: 1_000 }

const workloads = [
  {
    id: 'drain',
    title: 'Drain of jobs that do nothing, one process',
    workload: 'drain',
    task: { count: 100_000, warmUp: 10_000 },
    contestants: [
      'pontual',
      'bare SQL',
      'graphile-worker',
      'pg-boss',
      DEFAULTS,
      'BullMQ on PostgreSQL',
      'BullMQ on Redis',
    ],
    fewer: { [DEFAULTS]: FEW, 'BullMQ on PostgreSQL': FEW },
  },
]

reportContest(
  {
    title: 'Drain',
    workloads,
    notes: [
      'From the start of the workers until the end of the last job is committed; each job ran once, and results are where the product keeps them (vacuum, analyze and checkpoint before).',
    ],
  },
  await runContest(workloads),
)
