import { randomInt } from 'node:crypto'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { keepRecord } from '../record/record.ts'
import { type Check, nameOf } from './check.ts'
import { CHECKS } from './checks.ts'
import { recordOf } from './fuzz-record.ts'
import { watchForHangs } from './hang-watch.ts'
import { type Outcome, runCheck } from './run-check.ts'

const [HELD, VIOLATED, WRONG_USE] = [0, 1, 2]

process.exitCode = await main()

async function main(): Promise<number> {
  const asked = readOptions()
  if (typeof asked === 'string') {
    console.error(asked)
    return WRONG_USE
  }
  const { checks, minutes, seed, path } = asked
  console.log(`Seed ${seed}, ${minutes} minutes, ${checks.length} checks`)
  const begunAt = performance.now()
  const shares = checks.reduce((sum, { share = 1 }) => sum + share, 0)
  const watch = watchForHangs()
  const outcomes: Outcome[] = []
  for (const check of checks) {
    const milliseconds = (minutes * 60_000 * (check.share ?? 1)) / shares
    const outcome = await runCheck(check, { seed, path, milliseconds, watch })
    outcomes.push(outcome)
    tell(outcome)
  }
  await watch.close()
  return conclude(outcomes, asked, (performance.now() - begunAt) / 1000)
}

interface Asked {
  readonly checks: readonly Check[]
  readonly minutes: number
  readonly seed: number
  readonly path: string | undefined
}

/** What is asked for, or why that cannot be. */
function readOptions(): Asked | string {
  try {
    const { values } = parseArgs({
      options: {
        minutes: { type: 'string', default: '5' },
        only: { type: 'string' },
        seed: { type: 'string' },
        path: { type: 'string' },
        record: { type: 'boolean' },
      },
    })
    const minutes = Number(values.minutes)
    const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed)
    if (!(minutes > 0)) return `--minutes takes a number above 0, got "${values.minutes}".`
    if (!Number.isSafeInteger(seed)) return `--seed takes a whole number, got "${values.seed}".`
    const { only } = values
    const checks = CHECKS.filter((each) => only === undefined || each.target === only || nameOf(each) === only)
    if (checks.length === 0) return `--only takes ${targets().join(', ')}, or the whole name of a check, got "${only}".`
    if (values.path !== undefined && checks.length !== 1) return '--path needs --only with the whole name of one check.'
    return { checks, minutes, seed, path: values.path }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function targets(): string[] {
  return [...new Set(CHECKS.map(({ target }) => target))]
}

function tell({ check, inputs, seconds, violation }: Outcome): void {
  const speed = Math.round(inputs / Math.max(seconds, 0.001))
  console.log(
    `${violation === null ? 'held' : 'VIOLATED'}  ${nameOf(check)}: ${inputs.toLocaleString('en')} inputs, ${speed.toLocaleString('en')}/s`,
  )
  if (violation !== null) console.log(`\n${violation}\n`)
}

function conclude(outcomes: readonly Outcome[], { checks, minutes, path }: Asked, seconds: number): number {
  const violations = outcomes.filter(({ violation }) => violation !== null).length
  console.log(`${outcomes.length - violations} of ${outcomes.length} checks held, in ${Math.round(seconds)} s.`)
  if (path === undefined && checks.length === CHECKS.length) {
    keepRecord(recordOf(outcomes, `npm run fuzz -- --minutes ${minutes}`, seconds))
  }
  return violations === 0 ? HELD : VIOLATED
}
