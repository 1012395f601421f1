import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import type { PlantedBug } from '../../../planted/planted-bug.ts'
import { PLANTED_BUGS } from '../../../planted/registry.ts'
import { type Figure, keepRecord } from '../../../record/record.ts'
import { checkEvidence, checkHistory } from '../check-history.ts'
import type { Report } from '../report.ts'
import { cleanHistory } from './clean-history.ts'
import { TAMPERINGS } from './tamperings/all.ts'

/** A short torture of which the checker is to find that something is wrong. */
export interface ControlRun {
  readonly seconds: number
  readonly seed: number
  /** The faults that strike, by their names. */
  readonly only: readonly string[]
  /** Where it leaves what it has written down. */
  readonly folder: string
  /** null: none, and then nothing may be found. */
  readonly bug: PlantedBug | null
}

type Torture = (run: ControlRun) => Promise<void>

const SECONDS = 20
/** What happens depends on when processes are killed: what was not seen once may be seen the next time. */
const TRIES = 3
const INTERRUPTED = 130

/** A run that was cut short: what it left tells nothing. */
class Interrupted extends Error {}

/** Shows that the checker can fail: each bug that is planted has to be found, by the invariant that it breaks; so has each history that was tampered with. Returns an exit code. */
export async function runControls(torture: Torture): Promise<number> {
  const startedAt = performance.now()
  const known = PLANTED_BUGS.filter(({ torture }) => torture)
  const bugs = selectedOf(known)
  try {
    const tampered = TAMPERINGS.filter(isTamperingFound).length
    console.log(`${tampered} of ${TAMPERINGS.length} histories that were tampered with are found.`)
    const isQuiet = bugs.length < known.length || (await isNothingFound(torture))
    let planted = 0
    for (const bug of bugs) if (await isBugFound(torture, bug)) planted += 1
    console.log(`${planted} of ${bugs.length} planted bugs are found.`)
    const wrong = TAMPERINGS.length - tampered + bugs.length - planted + (isQuiet ? 0 : 1)
    const seconds = Math.round((performance.now() - startedAt) / 1_000)
    const figures = [
      figure('histories that were tampered with, found by the checker of the torture', tampered, TAMPERINGS.length),
      figure('bugs planted into processes of the torture, found by its checker', planted, bugs.length),
    ]
    const command = 'npm run torture -- --controls'
    keepRecord({ name: 'torture-controls', command, seconds, violations: wrong, figures, gaps: [] })
    return wrong === 0 ? 0 : 1
  } catch (error) {
    if (error instanceof Interrupted) return INTERRUPTED
    throw error
  }
}

function figure(what: string, value: number, atLeast: number): Figure {
  return { section: 'faults', invariants: [], what, value, atLeast }
}

/** PONTUAL_CONTROLS names some, by what their names hold, with commas between; else all. */
function selectedOf(known: readonly PlantedBug[]): readonly PlantedBug[] {
  const wanted = (process.env['PONTUAL_CONTROLS'] ?? '').split(',')
  return known.filter(({ name }) => wanted.some((part) => name.includes(part.trim())))
}

function isTamperingFound({ name, invariant, tamper }: (typeof TAMPERINGS)[number]): boolean {
  const history = cleanHistory()
  tamper(history)
  const violated = violatedIn(checkEvidence(history.evidence()))
  const isFound = violated.length === 1 && violated[0] === invariant
  if (!isFound) console.log(tell(false, `a history in which ${name}`, invariant, violated))
  return isFound
}

/** The same run without a bug: whoever finds something there would find everything. */
async function isNothingFound(torture: Torture): Promise<boolean> {
  const run = { seconds: SECONDS, seed: 1, only: ['nodes killed'], bug: null }
  const { violations } = await reportOf(torture, run)
  console.log(violations.length === 0 ? 'Without a bug nothing is found.' : 'Without a bug something is found:')
  for (const { invariant, text } of violations) console.log(`           ${invariant}: ${text}`)
  return violations.length === 0
}

async function isBugFound(torture: Torture, bug: PlantedBug): Promise<boolean> {
  const { name, invariant, torture: { faults, seconds = SECONDS } = { faults: [] } } = bug
  for (let seed = 1; seed <= TRIES; seed += 1) {
    const report = await reportOf(torture, { seconds, seed, only: faults, bug })
    const example = report.violations.find((each) => each.invariant === invariant)
    console.log(tell(example !== undefined, name, invariant, violatedIn(report)))
    if (example) console.log(`           ${example.text}`)
    if (example) return true
  }
  return false
}

async function reportOf(torture: Torture, run: Omit<ControlRun, 'folder'>): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'pontual-control-'))
  try {
    await torture({ ...run, folder })
    if (!existsSync(join(folder, 'database'))) throw new Interrupted()
    return await checkHistory(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function violatedIn({ violations }: Report): string[] {
  return [...new Set(violations.map(({ invariant }) => invariant))]
}

function tell(isFound: boolean, name: string, invariant: string, violated: readonly string[]): string {
  const was = violated.join(', ') || 'nothing'
  return `${isFound ? 'found    ' : 'NOT FOUND'}  ${name}: ${invariant} was to be broken, and ${was} was`
}
