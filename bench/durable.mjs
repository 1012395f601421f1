import { runContest } from './_contest.mjs'
import { reportContest } from './_queue-report.mjs'

const contestants = ['pontual', 'coalesced inserts', 'single inserts', 'DBOS', 'OpenWorkflow', 'Absurd']
const shared = {
  workload: 'durable',
  aim: 'durable',
  measures: ['activityRate'],
  more: ['activityStatements', 'activityCommits', 'runStatements'],
}

function fewer(runs, names) {
  return Object.fromEntries(names.map((name) => [name, { runs, warmUpRuns: runs / 2 }]))
}

const workloads = [
  {
    id: 'durable-1',
    title: 'Runs of 10 activities, one at a time',
    ...shared,
    task: { runs: 500, warmUpRuns: 100, atOnce: 1, activities: 10 },
    contestants,
    fewer: fewer(100, ['DBOS', 'OpenWorkflow', 'Absurd']),
  },
  {
    id: 'durable-100',
    title: 'Runs of 10 activities, 100 at a time',
    ...shared,
    task: { runs: 10_000, warmUpRuns: 2_000, atOnce: 100, activities: 10 },
    contestants,
    fewer: { ...fewer(600, ['DBOS', 'OpenWorkflow', 'Absurd']), 'single inserts': { runs: 3_000, warmUpRuns: 500 } },
  },
  {
    id: 'four-1',
    title: 'Runs of 4 activities, one at a time',
    ...shared,
    measures: ['runStatements', 'activityRate'],
    task: { runs: 1_000, warmUpRuns: 100, atOnce: 1, activities: 4 },
    contestants: ['pontual'],
  },
  {
    id: 'four-100',
    title: 'Runs of 4 activities, 100 at a time',
    ...shared,
    measures: ['runStatements', 'activityRate'],
    task: { runs: 10_000, warmUpRuns: 2_000, atOnce: 100, activities: 4 },
    contestants: ['pontual'],
  },
]

reportContest(
  {
    title: 'Durable execution',
    workloads,
    notes: [
      'From the start of the workers until the end of the last run is committed: the activities do nothing, each was performed once and is on record. A job is a run. Runs wait in the queue before the start, but for DBOS, whose callers start them.',
      'Statements as the server counts them (pg_stat_statements), begin and commit among them, and what a node says by itself meanwhile; commits are those that wrote.',
    ],
  },
  await runContest(workloads, { shared_preload_libraries: 'pg_stat_statements' }),
)
