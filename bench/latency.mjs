import { runContest } from './_contest.mjs'
import { reportContest } from './_queue-report.mjs'

const DEFAULTS = 'graphile-worker (defaults)'
const contestants = [
  'pontual',
  'bare SQL',
  'graphile-worker',
  DEFAULTS,
  'pg-boss',
  'BullMQ on PostgreSQL',
  'BullMQ on Redis',
]
const shared = { workload: 'pickup', aim: 'latency', measures: ['p50', 'p99'] }
const task = { samples: 200, unmeasured: 20, everyMs: 50 }

const workloads = [
  { id: 'pickup-idle', title: 'Pickup, otherwise idle', ...shared, task, contestants },
  {
    id: 'pickup-loaded',
    title: 'Pickup, beside 500 jobs/s',
    ...shared,
    task: { ...task, perSecond: 500 },
    contestants: contestants.filter((name) => name !== DEFAULTS),
    rounds: Object.fromEntries(contestants.map((name) => [name, 2])),
    more: ['background'],
  },
]

reportContest(
  {
    title: 'Pickup latency',
    workloads,
    notes: [
      'From just before another process calls enqueue until the handler starts: one job every 50 ms, by a clock that both processes share.',
      'Node CPU is that of the process that works, not of the one that enqueues.',
      'The background is 5 jobs every 10 ms in one call for many; who cannot keep up with it has less, as the column says.',
    ],
  },
  await runContest(workloads),
)
