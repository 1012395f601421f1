import { runContest } from './_contest.mjs'
import { reportContest } from './_queue-report.mjs'

const JOBS = [
  { jobMs: 0, what: 'jobs that do nothing' },
  { jobMs: 5, what: 'jobs that wait for 5 ms' },
]
const PROCESSES = [1, 2, 4]

const workloads = JOBS.flatMap(({ jobMs, what }) =>
  PROCESSES.map((processes) => ({
    id: `nodes-${processes}-${jobMs}`,
    title: `${processes} ${processes === 1 ? 'node' : 'nodes'}, ${what}`,
    workload: 'nodes',
    task: { count: 100_000, warmUp: 10_000, processes, jobMs },
    contestants: ['pontual'],
    rounds: { pontual: 2 },
  })),
)

reportContest(
  {
    title: 'Nodes on one PostgreSQL',
    workloads,
    notes: [
      'Each node is a process; all of them, and the server, share the cores of one machine. Node CPU is that of all nodes.',
    ],
  },
  await runContest(workloads),
)
