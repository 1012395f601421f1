import process from 'node:process'
import { type Env, systemEnv } from '../../clock.ts'
import { PontualError } from '../../errors.ts'
import { examineDatabase } from '../doctor/examine-database.ts'
import { examineDev } from '../doctor/examine-dev.ts'
import { examineMachine } from '../doctor/examine-machine.ts'
import type { Finding } from '../doctor/finding.ts'
import { openPatient } from '../doctor/open-patient.ts'
import { shownJson, shownLine } from '../print/shown-text.ts'
import type { Environment } from '../start-settings.ts'
import type { Terminal, Tone } from '../terminal.ts'

export interface DoctorOptions {
  readonly databaseUrl?: string | undefined
  /** Of a PGlite database that nobody has open. */
  readonly data?: string | undefined
  readonly json: boolean
}

/** `pontual doctor`: looks at this machine and its database, changes nothing, and says what to do. Fails where a check does. */
export async function runDoctor(
  options: DoctorOptions,
  environment: Environment,
  terminal: Terminal,
  env: Env = systemEnv,
): Promise<void> {
  const findings: Finding[] = []
  for await (const finding of examine(options, environment, env)) {
    findings.push(finding)
    if (!options.json) terminal.write(tell(finding, terminal))
  }
  const count = (verdict: string) => findings.filter((each) => each.verdict === verdict).length
  const [failed, warned] = [count('fail'), count('warn')]
  if (options.json) terminal.write(`${shownJson({ isWell: failed === 0, failed, warned, checks: findings })}\n`)
  else if (failed === 0)
    terminal.write(`\n${warned === 0 ? wellOf(count('skipped')) : `Nothing fails; ${warned} to look at.`}\n`)
  if (failed === 0) return
  const names = findings.filter(({ verdict }) => verdict === 'fail').map(({ check }) => check)
  throw new PontualError('doctor.failed', `Not well: ${names.join(', ')}.`, { checks: names })
}

function wellOf(skipped: number): string {
  return skipped === 0 ? 'All is well.' : 'All that could be looked at is well.'
}

async function* examine(options: DoctorOptions, environment: Environment, env: Env): AsyncGenerator<Finding> {
  yield* examineMachine(process.cwd(), environment, env)
  const patient = await openPatient(options, environment, env)
  if ('verdict' in patient) {
    yield patient
    return
  }
  if ('url' in patient) {
    yield* examineDev(patient, env)
    return
  }
  try {
    yield* examineDatabase(patient)
  } finally {
    await patient.driver.close()
  }
}

const MARKS: Readonly<Record<Finding['verdict'], readonly [string, Tone]>> = {
  ok: ['ok', 'good'],
  warn: ['warn', 'warn'],
  fail: ['FAIL', 'bad'],
  skipped: ['-', 'dim'],
}
const [MARK_WIDTH, CHECK_WIDTH] = [6, 22]

function tell({ check, verdict, text, remedy }: Finding, { tone }: Terminal): string {
  const [mark, colour] = MARKS[verdict]
  const line = `${tone(mark.padEnd(MARK_WIDTH), colour)}${check.padEnd(CHECK_WIDTH)}${shownLine(text)}\n`
  return remedy === null
    ? line
    : `${line}${' '.repeat(MARK_WIDTH + CHECK_WIDTH)}${tone(`-> ${shownLine(remedy)}`, 'strong')}\n`
}
