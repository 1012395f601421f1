import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isRecordAsked, keepRecord } from '../record/record.ts'
import { missingIn, SOMETIMES_COUNT } from './coverage.ts'
import { QUESTION_FAULTS, WORLD_FAULTS } from './faults.ts'
import { runSeeds, type Told } from './fleet.ts'

/** Seeds that were run, without a hole, and with which sources: with others they are other worlds. */
interface Range {
  readonly from: number
  readonly to: number
  readonly failed: readonly number[]
}

interface KeptRange extends Range {
  readonly date: string
  readonly sources: string
}

const FILE = new URL('../../.pontual-seeds.json', import.meta.url)

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** Notes seeds that were run with the sources as they are. */
function addRange(range: Range): void {
  if (range.to < range.from) return
  const kept: KeptRange = { ...range, date: new Date().toISOString().slice(0, 10), sources: hashSources() }
  writeFileSync(FILE, `${JSON.stringify([...readRanges(), kept], null, 2)}\n`)
}

/** How many different seeds hold with the sources as they are, in all runs that were noted. */
function seedsThatHold(): number {
  const sources = hashSources()
  const ranges = readRanges().filter((range) => range.sources === sources)
  const failed = new Set(ranges.flatMap((range) => range.failed))
  let [count, countedTo] = [0, 0]
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    count += Math.max(0, to - Math.max(from - 1, countedTo))
    countedTo = Math.max(countedTo, to)
  }
  return count - failed.size
}

function readRanges(): KeptRange[] {
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as KeptRange[]) : []
}

/** Of all that a seed depends on: the engine, and the simulation itself. */
function hashSources(): string {
  const hash = createHash('sha256')
  for (const folder of ['src', 'test/proofs/simulation']) {
    const files = readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' })
    for (const file of files.filter((each) => /(?<!\.test)\.ts$/.test(each)).toSorted()) {
      hash.update(file).update(readFileSync(`${ROOT}${folder}/${file}`))
    }
  }
  return hash.digest('hex').slice(0, 16)
}

/** So many seeds are enough that every "sometimes" has to have come. */
const ENOUGH_FOR_COVERAGE = 2_000
const ASKED_SEEDS = 1_000_000
/** Executions per seed, on average. With fewer the nodes have not opened within virtual time, and no invariant says anything. */
const LEAST_FINISHED = 10

/** Either so many seeds, or as many as so many minutes give. */
export interface ManyOptions {
  readonly from: number
  readonly count: number | null
  readonly minutes: number | null
}

/** Adds up what many seeds have come to. */
class Sum {
  readonly seen = new Map<string, number>()
  readonly failed: Told[] = []
  readonly #seeds = new Set<number>()
  happenings = 0
  finished = 0

  get done(): number {
    return this.#seeds.size
  }

  readonly add = (told: Told): void => {
    this.#seeds.add(told.seed)
    this.happenings += told.happenings
    this.finished += told.finished
    for (const [what, times] of told.seen) this.seen.set(what, (this.seen.get(what) ?? 0) + times)
    if (told.violation) {
      this.failed.push(told)
      console.log(`seed ${told.seed}: ${told.violation.message}`)
    }
    if (this.done % 1_000 === 0) console.log(`${this.done} seeds`)
  }

  /** The last of those that were run without a hole. */
  lastFrom(from: number): number {
    let last = from - 1
    while (this.#seeds.has(last + 1)) last += 1
    return last
  }
}

export async function runMany({ from, count, minutes }: ManyOptions): Promise<number> {
  const startedAt = performance.now()
  const to = count === null ? Number.MAX_SAFE_INTEGER : from + count - 1
  const endsInMs = minutes === null ? null : minutes * 60_000
  const sum = new Sum()
  const first = keptSeeds().filter((seed) => seed < from || seed > to)
  await runSeeds({ first, from, to, endsInMs, isOnlyOne: false, onTold: sum.add })
  const seconds = (performance.now() - startedAt) / 1_000
  const missing = sum.done >= ENOUGH_FOR_COVERAGE ? missingIn(sum.seen) : []
  for (const what of missing) console.log(`never: ${what}`)
  const rate = Math.round((sum.done / seconds) * 60)
  const isIdle = sum.finished < sum.done * LEAST_FINISHED
  if (isIdle) console.log(`only ${sum.finished} executions finished: the nodes of most seeds did not work`)
  const told = `${sum.done} seeds, ${sum.happenings} happenings, ${sum.finished} executions, ${Math.round(seconds)} s (${rate} a minute)`
  console.log(`${told}: ${sum.failed.length} failed.`)
  if (isRecordAsked()) record(sum, { from, seconds, missing })
  return sum.failed.length + missing.length === 0 && !isIdle ? 0 : 1
}

interface Ran {
  readonly from: number
  readonly seconds: number
  readonly missing: readonly string[]
}

function record(sum: Sum, { from, seconds, missing }: Ran): void {
  const to = sum.lastFrom(from)
  addRange({ from, to, failed: sum.failed.map(({ seed }) => seed) })
  const held = seedsThatHold()
  const faults = countOf(sum, (what) => isFault(what))
  keepRecord({
    name: 'simulation',
    command: `npm run simulate -- --from ${from} --seeds ${to - from + 1}`,
    seconds: Math.round(seconds),
    violations: sum.failed.length,
    figures: [
      {
        section: 'lost',
        invariants: [],
        what: 'seeds of the simulation that hold, with the sources as they are',
        value: held,
        atLeast: ASKED_SEEDS,
      },
      { section: 'lost', invariants: [], what: 'seeds that fail', value: sum.failed.length, atMost: 0 },
      {
        section: 'load',
        invariants: [],
        what: 'seeds a minute',
        value: Math.round((sum.done / seconds) * 60),
        atLeast: 2_000,
      },
      { section: 'load', invariants: [], what: 'happenings in virtual time, all checked', value: sum.happenings },
      { section: 'faults', invariants: [], what: 'faults in virtual time', value: faults },
      {
        section: 'faults',
        invariants: ['I6'],
        what: 'writes of nodes that had lost their work',
        value: sum.seen.get('a fenced write was attempted') ?? 0,
      },
      {
        section: 'faults',
        invariants: ['I23'],
        what: 'times that the clock of the store was set',
        value: countOf(sum, (what) => what.startsWith('clock')),
      },
      {
        section: 'faults',
        invariants: ['I14'],
        what: 'runs that were DIVERGED by other code, each before it wrote anything',
        value: sum.seen.get('a run is DIVERGED') ?? 0,
        atLeast: 100,
      },
      {
        section: 'faults',
        invariants: [],
        what: `of ${SOMETIMES_COUNT} things that have to happen now and then, those that did`,
        value: SOMETIMES_COUNT - missing.length,
      },
    ],
    gaps: held < ASKED_SEEDS ? [`A release is to take ${ASKED_SEEDS} seeds; ${held} were run with these sources.`] : [],
  })
}

function countOf({ seen }: Sum, fits: (what: string) => boolean): number {
  return [...seen].reduce((total, [what, times]) => total + (fits(what) ? times : 0), 0)
}

function isFault(what: string): boolean {
  const [kind = ''] = what.split(' ')
  return ([...QUESTION_FAULTS, ...WORLD_FAULTS] as readonly string[]).includes(kind)
}

/** Seeds that have failed once are run for ever. */
function keptSeeds(): number[] {
  const text = readFileSync(new URL('seeds.txt', import.meta.url), 'utf8')
  return text.split('\n').flatMap((line) => (/^\d/.test(line) ? [Number.parseInt(line, 10)] : []))
}
