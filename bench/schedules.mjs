import { runContest } from './_contest.mjs'
import { reportContest } from './_queue-report.mjs'

/** Those that know no seconds. */
const BY_MINUTE = { gridMs: 60_000 }

const workloads = [
  {
    id: 'schedules',
    title: 'Cron schedules that are due at one instant, until all have run',
    workload: 'schedules',
    aim: 'schedules',
    task: { count: 10_000, leadMs: 20_000, gridMs: 1_000, limitMs: 60_000 },
    contestants: ['pontual', 'bare SQL', 'BullMQ on Redis', 'BullMQ on PostgreSQL', 'graphile-worker', 'pg-boss'],
    fewer: {
      pontual: { leadMs: 60_000 },
      'graphile-worker': { ...BY_MINUTE, leadMs: 5_000 },
      'pg-boss': { ...BY_MINUTE },
    },
    rounds: { 'BullMQ on PostgreSQL': 1, 'graphile-worker': 1, 'pg-boss': 1 },
    measures: ['seconds'],
  },
]

reportContest(
  {
    title: 'Schedules',
    workloads,
    notes: [
      'The worker runs before the instant. graphile-worker and pg-boss know whole minutes, so that theirs is a full minute; they, and BullMQ on PostgreSQL, have one round.',
    ],
  },
  await runContest(workloads),
)
