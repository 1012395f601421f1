import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { parseArgs } from 'node:util'
import type { Fault } from './faults.ts'
import { findPlanted } from './find-planted.ts'
import { runMany } from './run-many.ts'
import { type Change, runSeed, type SeedResult } from './run-seed.ts'

interface Shrunk {
  readonly result: SeedResult
  readonly faults: readonly Fault[]
  readonly change: Change
  readonly runs: number
}

const MAX_RUNS = 200

/** Makes a seed that fails as small as can be while it breaks the same invariant: fewer faults, nodes, schedules and requests. */
async function shrink(seed: number, found: SeedResult): Promise<Shrunk> {
  let best: SeedResult = found
  let [faults, change]: [readonly Fault[], Change] = [found.faults, {}]
  let runs = 0
  const tryOut = async (fewer: readonly Fault[], smaller: Change): Promise<boolean> => {
    if (runs >= MAX_RUNS) return false
    runs += 1
    const result = await runSeed(seed, fewer, smaller)
    if (result.violation?.invariant !== found.violation?.invariant) return false
    best = result
    faults = fewer
    change = smaller
    return true
  }

  for (let size = Math.ceil(faults.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < faults.length; ) {
      const fewer = [...faults.slice(0, at), ...faults.slice(at + size)]
      if (!(await tryOut(fewer, change))) at += size
    }
  }
  const { nodes, schedules, operations } = found.configuration
  for (let fewer = 1; fewer < nodes; fewer += 1) if (await tryOut(faults, { ...change, nodes: fewer })) break
  if (schedules.length > 0) await tryOut(faults, { ...change, schedules: [] })
  for (const part of ['isDurable', 'hasApprovals', 'hasChains', 'hasRates', 'hasNotices'] as const) {
    if (found.configuration[part]) await tryOut(faults, { ...change, [part]: false })
  }
  for (const part of ['skewMs', 'driftPpm'] as const) {
    if (found.configuration[part] > 0) await tryOut(faults, { ...change, [part]: 0 })
  }
  for (let fewer = Math.floor(operations / 2); fewer >= 1; fewer = Math.floor(fewer / 2)) {
    if (!(await tryOut(faults, { ...change, operations: fewer }))) break
  }
  return { result: best, faults, change, runs }
}

const TRACE_LINES = 40

/** Plays one seed; where it fails, the smallest form of it. `file`: the faults that are left, as an earlier replay has written them. */
async function replay(seed: number, file: string | undefined): Promise<number> {
  const given =
    file === undefined ? null : (JSON.parse(readFileSync(file, 'utf8')) as { faults: Fault[]; change: Change })
  const result = await runSeed(seed, given?.faults ?? null, given?.change)
  console.log(JSON.stringify(result.configuration))
  if (!result.violation) {
    console.log(`Seed ${seed} holds: ${result.happenings} happenings, ${result.faults.length} faults.`)
    return 0
  }
  const smallest = given ? { result, faults: given.faults, change: given.change, runs: 0 } : await shrink(seed, result)
  const { violation, trace } = smallest.result
  console.log(trace.slice(-TRACE_LINES).join('\n'))
  console.log(`\nSeed ${seed}: ${violation?.message}`)
  if (!given) {
    const path = `seed-${seed}.faults.json`
    writeFileSync(path, `${JSON.stringify({ faults: smallest.faults, change: smallest.change })}\n`)
    console.log(
      `${result.faults.length} faults became ${smallest.faults.length} in ${smallest.runs} runs: npm run simulate -- --seed ${seed} --faults ${path}`,
    )
  }
  return 1
}

const USAGE = `npm run simulate -- [--seeds 2000 | --minutes 10] [--from 1] [--record]
npm run simulate -- --seed 364 [--faults seed-364.faults.json]
npm run simulate -- --planted all [--within 2000] [--record]`

process.exitCode = await main()

async function main(): Promise<number> {
  try {
    const { values } = parseArgs({
      options: {
        seeds: { type: 'string' },
        minutes: { type: 'string' },
        from: { type: 'string', default: '1' },
        seed: { type: 'string' },
        faults: { type: 'string' },
        planted: { type: 'string' },
        within: { type: 'string', default: '2000' },
        record: { type: 'boolean', default: false },
      },
    })
    const { seed, planted, minutes, seeds } = values
    if (seed !== undefined) return await replay(whole(seed, 'seed'), values.faults)
    if (planted !== undefined) return await findPlanted(planted, whole(values.within, 'within'))
    if (minutes !== undefined && seeds !== undefined) throw new TypeError('Either --seeds or --minutes, not both.')
    const from = whole(values.from, 'from')
    if (minutes !== undefined) return await runMany({ from, count: null, minutes: whole(minutes, 'minutes') })
    return await runMany({ from, count: whole(seeds ?? '2000', 'seeds'), minutes: null })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    console.error(`${error.message}\n${USAGE}`)
    return 2
  }
}

function whole(text: string, name: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new TypeError(`--${name} must be a whole number, got ${JSON.stringify(text)}.`)
}
