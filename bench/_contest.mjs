import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { CONTESTANTS } from './_contestants.mjs'
import { median } from './_measure.mjs'
import { contestNode } from './_node.mjs'
import { startPostgres } from './_postgres.mjs'

const WORKER = fileURLToPath(new URL('./_contest-worker.mjs', import.meta.url))
const ROUNDS = 3
const LIMIT_MS = 180_000

/** To take too long is a result, an error is none. */
class TimeLimitError extends Error {}

/** For a quick look: PONTUAL_BENCH_SCALE=0.1 for a tenth of the jobs, PONTUAL_BENCH_ONLY="pontual, bare SQL". Nothing is published then. */
const SCALE = Number(process.env.PONTUAL_BENCH_SCALE ?? 1)
const ONLY = process.env.PONTUAL_BENCH_ONLY?.split(',').map((name) => name.trim())

/**
 * Runs workloads, `{ title, workload, count, warmUp, callers, contestants: [name], fewer }`, where `fewer` has `{ count, warmUp }` by name
 * for contestants that would take too long. The contestants take turns, round by round, so that a slow moment of the machine meets
 * all of them; each run has a process and a database of its own. Resolves to
 * `{ node, database, isWhole, absent: [name], results }`, where a result is `{ workload, name, count, warmUp, runs: [cost], median: cost | null, failure, isBroken }`.
 */
export async function runContest(workloads) {
  const node = contestNode()
  const present = CONTESTANTS.filter(({ name }) => ONLY?.includes(name) ?? true).filter(
    ({ isThere }) => isThere?.() ?? true,
  )
  const names = present.map(({ name }) => name)
  const server = await startPostgres()
  try {
    const results = []
    for (const workload of workloads) {
      const own = workload.contestants.filter((name) => names.includes(name))
      results.push(...(await runWorkload(workload, own, { node, server })))
    }
    const absent = CONTESTANTS.map(({ name }) => name).filter((name) => !names.includes(name))
    const isWhole = SCALE === 1 && !ONLY && !results.some(({ isBroken }) => isBroken)
    return { node, database: server.description, isWhole, absent, results }
  } finally {
    await server.stop()
  }
}

async function runWorkload(workload, names, setting) {
  const results = names.map((name) => ({
    workload: workload.title,
    name,
    count: scaled(workload.fewer?.[name]?.count ?? workload.count),
    warmUp: scaled(workload.fewer?.[name]?.warmUp ?? workload.warmUp),
    runs: [],
    failure: null,
    isBroken: false,
  }))
  for (let round = 0; round < ROUNDS; round++) {
    for (const result of results.filter(({ failure }) => failure === null)) {
      try {
        result.runs.push(await runOnce(workload, result, setting))
        const rate = Math.round(result.count / (result.runs.at(-1).ms / 1000))
        console.error(`${workload.title}, round ${round + 1}: ${result.name} ${rate.toLocaleString('en-US')} jobs/s`)
      } catch (error) {
        result.failure = error.message
        result.isBroken = !(error instanceof TimeLimitError)
        console.error(`${workload.title}, round ${round + 1}: ${result.name} FAILED: ${error.message}`)
      }
    }
  }
  return results.map((result) => ({ ...result, median: medianOf(result) }))
}

/** The medians of each figure by itself. Null for a contestant that failed: a median of fewer runs is none. */
function medianOf({ runs, failure }) {
  if (failure !== null) return null
  const each = (key) => (runs[0][key] === null ? null : median(runs.map((run) => run[key])))
  return Object.fromEntries(Object.keys(runs[0]).map((key) => [key, each(key)]))
}

async function runOnce({ workload, callers }, { name, count, warmUp }, { node, server }) {
  const database = await server.createDatabase()
  try {
    const url = server.url(database)
    const serverPid = server.pid
    return await inChild(node, { name, workload, count, warmUp, callers, url, serverPid })
  } finally {
    await server.dropDatabase(database)
  }
}

function inChild(node, task) {
  return new Promise((resolve, reject) => {
    const child = fork(WORKER, [JSON.stringify(task)], {
      execPath: node.path,
      execArgv: ['--expose-gc'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const kill = () => child.kill('SIGKILL')
    process.once('exit', kill)
    let isOver = false
    const limit = setTimeout(() => {
      isOver = true
      kill()
    }, LIMIT_MS)
    let cost
    child.on('message', (message) => {
      cost = message.cost
    })
    child.once('error', reject)
    child.once('exit', (code) => {
      clearTimeout(limit)
      process.off('exit', kill)
      if (cost) resolve(cost)
      else reject(isOver ? new TimeLimitError(`not done after ${LIMIT_MS / 1000} s`) : new Error(`ended with ${code}`))
    })
  })
}

function scaled(count) {
  // pg-boss goes on at once only after a full batch.
  return Math.max(500, Math.round((count * SCALE) / 500) * 500)
}
