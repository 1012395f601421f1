import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { type Env, systemEnv } from '../../clock.ts'
import { PontualError } from '../../errors.ts'
import { silentLogger } from '../../logger.ts'
import type { AlertView } from '../../service/overview-answers.ts'
import type { Driver } from '../../store/driver/driver.ts'
import { openPgDriver } from '../../store/driver/pg.ts'
import { findPooling } from '../../store/driver/pg-pooling.ts'
import { openPgliteDriver } from '../../store/driver/pglite.ts'
import { pgliteDatabase } from '../../store/driver/pglite-database.ts'
import { readSchemaName, type SchemaName } from '../../store/driver/schema-name.ts'
import { overHttp } from '../client/over-http.ts'
import { DEV_DATA, type DevAddress, demoData, devOn } from '../dev-address.ts'
import { examineDatabase, type Patient } from '../doctor/examine-database.ts'
import { examineMachine } from '../doctor/examine-machine.ts'
import { type Finding, fail, find, type Judgement, ok, skipped, some, together, warn } from '../doctor/judgement.ts'
import { formatSpan } from '../print/instants.ts'
import { shownJson, shownLine } from '../print/text.ts'
import type { Environment } from '../start-settings.ts'
import type { Terminal, Tone } from '../terminal.ts'
import { type Glance, GlanceReader } from '../top/read-glance.ts'

const CHECK = 'database'

export interface DoctorOptions {
  readonly databaseUrl?: string | undefined
  readonly schema?: string | undefined
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

function tell({ check, verdict, text, remedy }: Finding, { tone }: Terminal): string {
  const [mark, colour] = MARKS[verdict]
  const line = `${tone(mark.padEnd(MARK_WIDTH), colour)}${check.padEnd(CHECK_WIDTH)}${shownLine(text)}\n`
  return remedy === null
    ? line
    : `${line}${' '.repeat(MARK_WIDTH + CHECK_WIDTH)}${tone(`-> ${shownLine(remedy)}`, 'strong')}\n`
}

interface PatientOptions {
  readonly databaseUrl?: string | undefined
  readonly schema?: string | undefined
  readonly data?: string | undefined
}

const LOCKED = 'Stop what has it open, and look again; where that serves an API, pontual top --url looks while it runs.'

const WHICH = 'Name one: --database-url or DATABASE_URL, or --data with the directory of pontual dev.'

/** The database to look at: the directory that is named, the server, or what `pontual dev` keeps here. The `pontual dev` that has it open, where one has; a finding where there is none, or it cannot be opened. */
async function openPatient(
  { databaseUrl, schema, data }: PatientOptions,
  environment: Environment,
  env: Env,
): Promise<Patient | DevAddress | Finding> {
  const keyRing = environment['PONTUAL_ENCRYPTION_KEYS']?.trim() || null
  try {
    if (data === undefined && databaseUrl)
      return { env, keyRing, ...(await openServer(databaseUrl, readSchemaName(schema), env)) }
    const directory = (data === undefined ? [DEV_DATA, demoData(DEV_DATA)] : [data]).find(isDatabase)
    const dev = directory === undefined ? null : devOn(directory)
    if (dev !== null) return dev
    if (directory !== undefined) return { env, keyRing, ...(await openDirectory(directory, readSchemaName(schema))) }
    if (data === undefined) return { check: CHECK, ...warn('No database is named, and so none was looked at.', WHICH) }
    return { check: CHECK, ...fail(`There is no database in ${resolve(data)}.`, WHICH) }
  } catch (error) {
    if (!(error instanceof PontualError)) throw error
    // Nothing is wrong with what somebody works with.
    if (error.code === 'store.locked') return { check: CHECK, ...warn(error.message, LOCKED) }
    return { check: CHECK, ...fail(error.message, 'Is the server up, and are address, user and password right?') }
  }
}

async function openServer(url: string, schema: SchemaName, env: Env): Promise<Pick<Patient, 'driver' | 'findPooling'>> {
  const options = { maxConnections: 1, deadlineMs: 30_000, prepare: false, schema } as const
  const driver = await openPgDriver(url, options, { env, logger: silentLogger })
  return { driver, findPooling: () => findPooling(url) }
}

async function openDirectory(directory: string, schema: SchemaName): Promise<Pick<Patient, 'driver' | 'findPooling'>> {
  const driver: Driver = await openPgliteDriver(pgliteDatabase(directory), silentLogger, schema)
  return { driver, findPooling: null }
}

function isDatabase(directory: string): boolean {
  return existsSync(join(directory, 'PG_VERSION'))
}

const LONG_MS = 5 * 60_000

/** What can be seen of a database through the `pontual dev` that has it open. */
async function* examineDev({ url, pid }: DevAddress, env: Env): AsyncGenerator<Finding> {
  const connection = overHttp({ url, credentials: {}, env })
  const held = `pontual dev (process ${pid}) has it open, and is asked about it at ${url}; clock, migrations, tables and leftovers are looked at once it is stopped`
  yield { check: 'database', ...skipped(held) }
  let glance: Glance
  try {
    glance = await new GlanceReader(connection, env).read(new AbortController().signal)
  } catch (error) {
    if (!(error instanceof PontualError)) throw error
    yield { check: 'service', ...warn(`It gives no answer: ${error.message}`, 'Its terminal says what it does.') }
    return
  }
  yield { check: 'service', ...ok(`answers at ${url}`) }
  yield await find('nodes', () => judgeLiving(glance))
  yield await find('queue', () => judgeWaiting(glance))
  yield await find('alerts', () => judgeAlerts(glance.alerts ?? []))
}

function judgeLiving({ nodes }: Glance): Judgement {
  const alive = nodes.filter(({ isAlive }) => isAlive)
  const slots = alive.reduce((sum, each) => sum + each.slots, 0)
  if (alive.length > 0) return ok(`${alive.length} alive, ${slots} slots`)
  return warn('No node lives: nothing fires, and nothing runs.', 'Stop pontual dev and start it again.')
}

function judgeWaiting({ queued, oldestWaitMs }: Glance): Judgement {
  if (queued === 0 || oldestWaitMs === null) return ok(queued === 0 ? 'empty' : `${queued} wait`)
  const text = `the oldest of ${queued} has waited for ${formatSpan(oldestWaitMs)}`
  return oldestWaitMs < LONG_MS
    ? ok(text)
    : warn(`Work does not begin: ${text}.`, 'npx pontual top shows what has the slots.')
}

function judgeAlerts(alerts: readonly AlertView[]): Judgement {
  const open = alerts.filter(({ isOpen }) => isOpen)
  const names = some(open.map(({ name, jobName }) => (jobName === null ? name : `${name} (${jobName})`)))
  return together([open.length > 0 && warn(`Open: ${names}.`, open[0]?.action ?? '')], 'none is open')
}

const [MARK_WIDTH, CHECK_WIDTH] = [6, 22]
