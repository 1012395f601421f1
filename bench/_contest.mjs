import { CONTESTANTS, contestant } from './_contestants.mjs'
import { median } from './_measure.mjs'
import { contestNode } from './_node.mjs'
import { startPostgres } from './_postgres.mjs'
import { startRedis } from './_redis.mjs'
import { runInProcess, TimeLimitError } from './_run-in-process.mjs'

const ROUNDS = 3

/** For a quick look: PONTUAL_BENCH_SCALE=0.1 for a tenth of the jobs, PONTUAL_BENCH_ONLY="pontual, bare SQL", PONTUAL_BENCH_ROUNDS=1. Nothing is published then. */
const SCALE = Number(process.env.PONTUAL_BENCH_SCALE ?? 1)
const ONLY = process.env.PONTUAL_BENCH_ONLY?.split(',').map((name) => name.trim())
const MOST_ROUNDS = Number(process.env.PONTUAL_BENCH_ROUNDS ?? ROUNDS)
const IS_WHOLE = SCALE === 1 && !ONLY && MOST_ROUNDS === ROUNDS

/** What a task has in numbers of jobs, and in which steps: pg-boss goes on at once only after a full batch. */
const STEPS = {
  count: 500,
  warmUp: 500,
  waiting: 500,
  finished: 500,
  flood: 500,
  tenants: 500,
  runs: 50,
  warmUpRuns: 50,
}

/**
 * Runs workloads: `{ id, title, workload, aim, task, contestants: [name], fewer, rounds, prepare }`. `workload` is a key of the table in
 * `_contest-worker.mjs`, which is given the `task`; `fewer` overrides parts of the task by name, for contestants that would take too long or work
 * otherwise; `rounds` has the number of rounds by name where it is not 3; `prepare` is a task of `fill`, done once for each contestant, whose
 * database is then the start of each run. All take turns, round by round, so that a slow moment of the machine meets all of them; each run has
 * a process and a database of its own. `settings` are further ones of PostgreSQL. Resolves to `{ node, servers, isWhole, absent: [name], results }`,
 * where a result is `{ id, name, task, runs: [figures], median: figures | null, failure, isBroken }`.
 */
export async function runContest(workloads, settings = {}) {
  const node = await contestNode()
  const asked = new Set(
    workloads.flatMap(({ contestants }) => contestants).filter((name) => ONLY?.includes(name) ?? true),
  )
  const postgres = await startPostgres(settings)
  const redis = [...asked].some((name) => contestant(name).server === 'redis') ? await startRedis() : null
  try {
    const isPresent = ({ name, server, isThere }) =>
      asked.has(name) && (server !== 'redis' || redis) && (isThere?.() ?? true)
    const names = CONTESTANTS.filter(isPresent).map(({ name }) => name)
    const absent = [...asked].filter((name) => !names.includes(name))
    for (const name of absent) console.error(`*** ${name} DOES NOT TAKE PART: ${lacking(name)} ***`)
    const results = workloads.flatMap((workload) => emptyResults(workload, names))
    await runRounds(results, { node, postgres, redis, templates: new Map() })
    return {
      node,
      servers: [postgres, redis].flatMap((server) => server?.description ?? []),
      isWhole: IS_WHOLE && !results.some(({ isBroken }) => isBroken),
      absent: absent.map((name) => `${name} did not take part: ${lacking(name)}`),
      results: results.map(({ workload, ...result }) => ({
        id: workload.id,
        ...result,
        median: medianOf(result),
      })),
    }
  } finally {
    await redis?.stop()
    await postgres.stop()
  }
}

/** What keeps a contestant from taking part. */
function lacking(name) {
  const { lacks, server = 'dist' } = contestant(name)
  return lacks ?? `${server} is absent`
}

function emptyResults(workload, present) {
  return workload.contestants
    .filter((name) => present.includes(name))
    .map((name) => ({
      workload,
      name,
      task: scaled({ ...workload.task, ...workload.fewer?.[name] }),
      runs: [],
      failure: null,
      isBroken: false,
    }))
}

async function runRounds(results, setting) {
  for (let round = 1; round <= MOST_ROUNDS; round++) {
    for (const result of results) {
      const { workload, name, failure } = result
      if (failure !== null || round > (workload.rounds?.[name] ?? MOST_ROUNDS)) continue
      try {
        result.runs.push(await runOnce(result, setting))
        console.error(`${workload.title}, round ${round}: ${name} ${inShort(result.runs.at(-1))}`)
      } catch (error) {
        result.failure = error.message
        result.isBroken = !(error instanceof TimeLimitError)
        console.error(`${workload.title}, round ${round}: ${name} FAILED: ${error.message}`)
      }
    }
  }
}

async function runOnce({ workload, name, task }, { node, postgres, redis, templates }) {
  const isOnRedis = contestant(name).server === 'redis'
  const run = async (database, what) => {
    const place = { url: postgres.url(database), redis: isOnRedis ? redis.connection : null }
    const serverPid = isOnRedis ? redis.pid : postgres.pid
    return await runInProcess(node, { name, aim: workload.aim ?? 'throughput', place, serverPid, ...what })
  }
  if (isOnRedis) await redis.clear()
  const database = await postgres.createDatabase(
    await preparedTemplate({ workload, name }, { postgres, templates, run }),
  )
  try {
    return await run(database, { workload: workload.workload, task })
  } finally {
    await postgres.dropDatabase(database)
  }
}

async function preparedTemplate({ workload, name }, { postgres, templates, run }) {
  if (!workload.prepare) return undefined
  const task = scaled(workload.prepare)
  const key = JSON.stringify([name, task])
  if (!templates.has(key)) {
    const database = await postgres.createDatabase()
    await run(database, { workload: 'fill', task })
    templates.set(key, database)
  }
  return templates.get(key)
}

/** The medians of each figure by itself. Null for a contestant that failed: a median of fewer runs is none. */
function medianOf({ runs, failure }) {
  if (failure !== null) return null
  const each = (key) => (runs[0][key] === null ? null : median(runs.map((run) => run[key])))
  return Object.fromEntries(Object.keys(runs[0]).map((key) => [key, each(key)]))
}

function inShort(figures) {
  const { jobs, ms, p50, p99, statements, activities, calls } = figures
  if (p50 !== undefined && calls !== undefined)
    return `${Math.round((jobs / ms) * 1000).toLocaleString('en-US')} requests/s`
  if (p50 !== undefined) return `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`
  if (activities !== undefined) return `${Math.round((activities / ms) * 1000).toLocaleString('en-US')} activities/s`
  if (statements !== undefined) return `${statements.toFixed(2)} statements/s`
  return `${Math.round((jobs / ms) * 1000).toLocaleString('en-US')} jobs/s`
}

/** By one step at the least. */
function scaled(task) {
  const each = ([key, value]) => [key, key in STEPS && value > 0 ? toStep(value * SCALE, STEPS[key]) : value]
  return Object.fromEntries(Object.entries(task).map(each))
}

function toStep(value, step) {
  return Math.max(step, Math.round(value / step) * step)
}
