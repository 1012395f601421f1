import { runContest } from './_contest.mjs'
import { reportContest } from './_queue-report.mjs'

const DRAIN = 'Drain of jobs that do nothing, one process'
const DEFAULTS = 'graphile-worker, defaults'

const outcome = await runContest([
  {
    title: DRAIN,
    workload: 'drain',
    callers: 1,
    count: 100_000,
    warmUp: 10_000,
    contestants: ['pontual', 'bare SQL', 'graphile-worker', 'pg-boss', DEFAULTS],
    fewer: { [DEFAULTS]: { count: 10_000, warmUp: 1_000 } },
  },
])

reportContest(
  {
    name: 'drain',
    title: 'Drain',
    targets: { [DRAIN]: { 'bare SQL': 0.85, 'graphile-worker': 1.5, 'pg-boss': 2 } },
    notes: [
      'From the start of the workers until the end of the last job is committed; each job ran once, and results are where the product keeps them (vacuum, analyze and checkpoint before).',
    ],
  },
  outcome,
)
