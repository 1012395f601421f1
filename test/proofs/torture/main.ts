import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { environmentWith } from '../planted/registry.ts'
import { keepRecord } from '../record/record.ts'
import { tally } from './cast/tally.ts'
import { describeTorture, figuresOf, gapsOf, wrongBesides } from './cast/verdict.ts'
import { checkHistory } from './check/check-history.ts'
import { type ControlRun, runControls } from './check/controls/run-controls.ts'
import { describeReport } from './check/report.ts'
import type { Fault } from './faults/fault.ts'
import { FAULTS } from './faults/faults.ts'
import { runTorture, type TortureOptions } from './run-torture.ts'

const HELD = 0
const VIOLATED = 1
const WRONG_USE = 2
const INTERRUPTED = 130

const RATE = 120
/** A run that is shorter begins with the version before only where that is asked for. */
const BEGINS_BEFORE_MINUTES = 2
/** However slow the machine is. */
const HEAL_WITHIN_MS = 900_000
/** With a planted bug some things never end. */
const HEAL_CONTROL_WITHIN_MS = 20_000

/** What was asked for is not what there is. */
class WrongUse extends Error {}

const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // Asked a second time, it ends at once; what it has started ends with it.
    if (interruption.signal.aborted) process.exit(INTERRUPTED)
    console.error('\nInterrupted: everything that was started is being ended.')
    interruption.abort()
  })
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof WrongUse) && !isUnknownOption(error)) throw error
  console.error((error as Error).message)
  process.exitCode = WRONG_USE
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '10' },
      seed: { type: 'string' },
      rate: { type: 'string', default: String(RATE) },
      only: { type: 'string' },
      keep: { type: 'string' },
      check: { type: 'string' },
      controls: { type: 'boolean', default: false },
      before: { type: 'boolean', default: false },
      record: { type: 'boolean', default: false },
    },
  })
  if (values.check !== undefined) return await check(resolve(values.check))
  if (values.controls) return await runControls(tortureForControls)
  const seed = values.seed === undefined ? drawSeed() : numberOf(values.seed, 'seed', 0, 2 ** 32 - 1)
  const minutes = numberOf(values.minutes, 'minutes', 0.1, 24 * 60)
  return await torture({
    seed,
    minutes,
    beginsBefore: values.before || minutes >= BEGINS_BEFORE_MINUTES,
    rate: numberOf(values.rate, 'rate', 1, 10_000),
    faults: faultsOf(values.only),
    keep: values.keep,
  })
}

interface Asked extends Pick<TortureOptions, 'seed' | 'rate' | 'faults' | 'beginsBefore'> {
  readonly minutes: number
  readonly keep: string | undefined
}

async function torture({ minutes, keep, ...asked }: Asked): Promise<number> {
  const { seed, rate, faults } = asked
  const command = `npm run torture -- --minutes ${minutes} --seed ${seed}`
  console.log(`${command}: ${faults.length} kinds of faults, ${rate} executions a second.`)
  const folder = keep === undefined ? await mkdtemp(join(tmpdir(), 'pontual-history-')) : emptyFolder(keep)
  let isKept = keep !== undefined
  try {
    const { signal: interrupted } = interruption
    const run = { ...asked, seconds: minutes * 60, folder, healWithinMs: HEAL_WITHIN_MS, interrupted }
    const seen = await runTorture(run)
    if (!seen) return INTERRUPTED
    const counted = await tally(folder)
    console.log(describeTorture(seen, counted))
    const report = await checkHistory(folder)
    console.log(describeReport(report))
    const besides = wrongBesides(seen)
    for (const text of besides) console.log(`\nWrong: ${text}`)
    const violations = report.violations.length + besides.length
    const figures = figuresOf(seen, counted, report)
    keepRecord({
      name: 'torture',
      command,
      seconds: Math.round(seen.seconds),
      violations,
      figures,
      gaps: gapsOf(seen, report),
    })
    if (violations === 0) return HELD
    isKept = true
    return VIOLATED
  } catch (error) {
    isKept = true
    throw error
  } finally {
    if (isKept && !interruption.signal.aborted)
      console.log(`What was written down is in ${folder}; --check ${folder} looks at it again.`)
    if (!isKept || (keep === undefined && interruption.signal.aborted))
      await rm(folder, { recursive: true, force: true })
  }
}

async function check(folder: string): Promise<number> {
  if (!existsSync(join(folder, 'world.json')))
    throw new WrongUse(`--check takes a folder that --keep has written, and ${folder} has no world.json.`)
  const report = await checkHistory(folder)
  console.log(describeReport(report))
  return report.violations.length === 0 ? HELD : VIOLATED
}

/** A short run with a bug in the nodes or in those who ask, which whoever reads its folder has to find. */
async function tortureForControls({ seconds, seed, only, folder, bug }: ControlRun): Promise<void> {
  await runTorture({
    seed,
    seconds,
    rate: RATE,
    faults: faultsOf(only.join(',')),
    folder,
    healWithinMs: HEAL_CONTROL_WITHIN_MS,
    interrupted: interruption.signal,
    surroundings: bug ? { [bug.torture?.within ?? 'node']: { env: environmentWith(bug) } } : {},
  })
}

function faultsOf(only: string | undefined): readonly Fault[] {
  if (only === undefined) return FAULTS
  const names = only.split(',').flatMap((each) => each.trim() || [])
  return names.map((name) => {
    const found = FAULTS.find((fault) => fault.name === name)
    if (!found) throw new WrongUse(`No fault "${name}". Known: ${FAULTS.map((fault) => fault.name).join(', ')}.`)
    return found
  })
}

function emptyFolder(path: string): string {
  const folder = resolve(path)
  mkdirSync(folder, { recursive: true })
  if (readdirSync(folder).length > 0)
    throw new WrongUse(`--keep takes a folder with nothing in it, and ${folder} has something.`)
  return folder
}

function numberOf(text: string, name: string, least: number, most: number): number {
  const value = Number(text)
  if (text.trim() !== '' && value >= least && value <= most) return value
  throw new WrongUse(`--${name} takes a number from ${least} to ${most}, got "${text}".`)
}

function drawSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 1
}

function isUnknownOption(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}
