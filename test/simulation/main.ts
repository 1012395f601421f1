import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { missingIn } from './coverage.ts'
import type { Fault } from './faults.ts'
import { runSeeds, type Told } from './fleet.ts'
import { PLANTED_BUGS } from './planted-bugs.ts'
import { runSeed } from './run-seed.ts'
import { shrink } from './shrink.ts'

/** So many seeds are enough that every "sometimes" has to have come. */
const ENOUGH_FOR_COVERAGE = 500
const TRACE_LINES = 40

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '2000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    faults: { type: 'string' },
    planted: { type: 'string' },
    within: { type: 'string', default: '2000' },
  },
})

if (values.seed !== undefined) process.exitCode = await replay(Number(values.seed), values.faults)
else if (values.planted !== undefined) process.exitCode = await findPlanted(values.planted, Number(values.within))
else process.exitCode = await runMany(Number(values.from), Number(values.seeds))

/** One seed, and where it fails the smallest form of it. */
async function replay(seed: number, file: string | undefined): Promise<number> {
  const given =
    file === undefined ? null : (JSON.parse(readFileSync(file, 'utf8')) as { faults: Fault[]; change: object })
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

async function runMany(from: number, count: number): Promise<number> {
  const kept = keptSeeds().filter((seed) => seed < from || seed >= from + count)
  const seen = new Map<string, number>()
  const failed: Told[] = []
  let [done, happenings] = [0, 0]
  const onTold = (told: Told) => {
    done += 1
    happenings += told.happenings
    for (const [what, times] of told.seen) seen.set(what, (seen.get(what) ?? 0) + times)
    if (told.violation) {
      failed.push(told)
      console.log(`seed ${told.seed}: ${told.violation.message}`)
    }
    if (done % 1_000 === 0) console.log(`${done} of ${count + kept.length} seeds`)
  }
  const startedAt = performance.now()
  for (const seed of kept) await runSeeds({ from: seed, to: seed, isOnlyOne: false, onTold })
  await runSeeds({ from, to: from + count - 1, isOnlyOne: false, onTold })
  const seconds = (performance.now() - startedAt) / 1_000
  const missing = count >= ENOUGH_FOR_COVERAGE ? missingIn(seen) : []
  for (const what of missing) console.log(`never: ${what}`)
  const rate = Math.round((done / seconds) * 60)
  console.log(
    `${done} seeds, ${happenings} happenings, ${Math.round(seconds)} s (${rate} a minute): ${failed.length} failed.`,
  )
  return failed.length + missing.length === 0 ? 0 : 1
}

/** Seeds that have failed once are run for ever. */
function keptSeeds(): number[] {
  const text = readFileSync(new URL('seeds.txt', import.meta.url), 'utf8')
  return text.split('\n').flatMap((line) => (/^\d/.test(line) ? [Number.parseInt(line, 10)] : []))
}

/** Every planted bug has to be found, as a break of what it breaks. */
async function findPlanted(name: string, within: number): Promise<number> {
  const bugs = PLANTED_BUGS.filter((bug) => name === 'all' || bug.name === name)
  if (bugs.length === 0) {
    console.error(`No planted bug "${name}". Known: all, ${PLANTED_BUGS.map((bug) => bug.name).join(', ')}.`)
    return 2
  }
  let missed = 0
  for (const bug of bugs) {
    let found: Told | null = null
    let runs = 0
    const onTold = (told: Told) => {
      runs += 1
      if (told.violation && !found) found = told
    }
    await runSeeds({ from: 1, to: within, bug, isOnlyOne: true, onTold })
    const caught = found as Told | null
    if (!caught) missed += 1
    console.log(
      `${caught ? 'found ' : 'MISSED'}  ${bug.name}: ${caught ? `seed ${caught.seed}, ${caught.violation?.message}` : ''} (${runs} seeds)`,
    )
  }
  console.log(`${bugs.length - missed} of ${bugs.length} planted bugs were found.`)
  return missed === 0 ? 0 : 1
}
