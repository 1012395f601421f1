import { runContest } from './_contest.mjs'
import { reportContest } from './_queue-report.mjs'

const workloads = [
  {
    id: 'tenants',
    title: '5,000 tenants with 40 jobs each and a cap of 10, one floods with 300,000',
    workload: 'tenants',
    aim: 'tenants',
    task: { tenants: 5_000, perTenant: 40, flood: 300_000, limitMs: 60_000 },
    contestants: ['pontual', 'pg-boss'],
    rounds: { 'pg-boss': 1 },
    more: ['othersLeft', 'most', 'lateMs'],
  },
  {
    id: 'flood',
    title: 'A tenant that comes while 300,000 jobs of another one wait, without a cap',
    workload: 'flood',
    task: { flood: 300_000, limitMs: 60_000 },
    contestants: ['pontual', 'pg-boss'],
    rounds: { 'pg-boss': 1 },
    measures: ['lateMs'],
  },
]

reportContest(
  {
    title: 'Tenants',
    workloads,
    notes: [
      'Until the jobs of all but the flooding tenant have run, at most 60 s; jobs/s of all that ran by then. The flood is there first. What runs of one tenant is looked at every 50 ms; the late tenant comes 0.5 s after the start with one job.',
    ],
  },
  await runContest(workloads),
)
