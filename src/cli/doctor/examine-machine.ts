import process from 'node:process'
import type { CancelTimer, Env } from '../../clock.ts'
import { PontualError } from '../../errors.ts'
import type { Config } from '../../server/define-config.ts'
import type { UsedZone, ZoneOffset } from '../../store/postgres/inspect/zones.ts'
import { findConfig, loadProject } from '../config/load-project.ts'
import { type Environment, startSettings } from '../start-settings.ts'
import { readTypeScript } from '../typescript/read-typescript.ts'
import { type Finding, fail, find, type Judgement, ok, some, together, warn } from './judgement.ts'

/** Checks that need no database. */
export async function* examineMachine(directory: string, environment: Environment, env: Env): AsyncGenerator<Finding> {
  yield await find('Node', () => judgeNode(process.version))
  const { file, config, refusal } = await readConfig(directory, env)
  yield await find('configuration', () => judgeConfigFile(file, refusal))
  yield await find('environment', () =>
    judgeEnvironment(
      namesOf(environment),
      refusalOf(() => startSettings(environment, config)),
    ),
  )
}

const LOAD_MS = 20_000

interface ReadConfig {
  readonly file: string | null
  readonly config: Config
  /** Why it cannot be used; null where it can. */
  readonly refusal: PontualError | null
}

/** Loads it as `pontual start` would, with the jobs that it names. */
async function readConfig(directory: string, env: Env): Promise<ReadConfig> {
  const file = findConfig(undefined, directory)
  if (file === null) return { file, config: {}, refusal: null }
  try {
    readTypeScript()
    return { file, config: (await inTime(loadProject({}, { directory }), env)).config, refusal: null }
  } catch (error) {
    if (error instanceof PontualError) return { file, config: {}, refusal: error }
    throw error
  }
}

/** A module may wait for what never comes. */
async function inTime<Result>(loading: Promise<Result>, env: Env): Promise<Result> {
  let cancel: CancelTimer = () => {}
  const late = new Promise<never>((_, reject) => {
    const message = `It has not been loaded within ${LOAD_MS / 1_000} s: does it wait for something?`
    cancel = env.after(LOAD_MS, () => reject(new PontualError('config.slow', message)))
  })
  try {
    return await Promise.race([loading, late])
  } finally {
    cancel()
  }
}

function namesOf(environment: Environment): string[] {
  return Object.keys(environment).filter((name) => name.startsWith('PONTUAL_'))
}

function refusalOf(read: () => unknown): PontualError | null {
  try {
    read()
    return null
  } catch (error) {
    if (error instanceof PontualError) return error
    throw error
  }
}

/** The least that runs it, as in `engines` of the package. */
const LEAST_NODE: readonly [number, number] = [20, 19]

/** @param version such as `v22.18.0`. */
export function judgeNode(version: string): Judgement {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  const [leastMajor, leastMinor] = LEAST_NODE
  const isOld = major < leastMajor || (major === leastMajor && minor < leastMinor)
  if (isOld) return fail(`${version} is too old.`, `Install Node ${leastMajor}.${leastMinor} or later.`)
  if (major % 2 === 1) return warn(`${version} is no long-term version.`, 'Run an even version in production.')
  return ok(version)
}

export interface ZoneDataFacts {
  /** Of this process, such as `2025b`; absent where Node was built without it. */
  readonly tz: string | undefined
  readonly icu: string | undefined
  readonly year: number
  /** Zones that jobs are in and this process does not know. */
  readonly unknown: readonly UsedZone[]
  /** What this process, and the database, make of some zones; empty where there is no database. */
  readonly own: readonly ZoneOffset[]
  readonly database: readonly ZoneOffset[]
}

/** Zone rules change several times a year, and take effect months later. */
const OLD_YEARS = 2

export function judgeZoneData({ tz, icu, year, unknown, own, database }: ZoneDataFacts): Judgement {
  const isOld = tz === undefined || Number.parseInt(tz, 10) < year - OLD_YEARS
  const theirs = new Map(database.map((each) => [keyOf(each), each.offsetMs]))
  const differing = own.filter((each) => theirs.has(keyOf(each)) && theirs.get(keyOf(each)) !== each.offsetMs)
  const zones = [...new Set(differing.map(({ zone }) => zone))]
  return together(
    [
      unknown.length > 0 &&
        fail(
          `This Node does not know ${some(unknown.map(({ zone, jobName }) => `${zone} (job ${jobName})`))}.`,
          'Install a newer Node, or correct the time zone of these jobs: they cannot be fired from here.',
        ),
      isOld &&
        warn(
          `The zone data of this Node is of ${tz ?? 'an unknown version'}.`,
          'Install the newest Node of its line: jobs in zones whose rules have changed fire an hour off.',
        ),
      zones.length > 0 &&
        warn(
          `This Node and the database differ about ${some(zones)}.`,
          'Schedules follow Node; SQL of yours that uses "at time zone" follows the database. Update whichever is older.',
        ),
    ],
    `tz ${tz}, ICU ${icu ?? 'unknown'}${database.length > 0 ? '; the database agrees' : ''}`,
  )
}

function keyOf({ zone, at }: ZoneOffset): string {
  return `${zone}/${at}`
}

/** @param refusal why `pontual start` would refuse this environment; null where it would not. */
export function judgeEnvironment(names: readonly string[], refusal: PontualError | null): Judgement {
  if (names.length === 0) return ok('no PONTUAL_ variable is set')
  if (refusal === null) return ok(`${names.length} PONTUAL_ variables, as pontual start takes them`)
  const isIncomplete = refusal.code === 'setting.missing' || refusal.code === 'identity.missing'
  const remedy = 'Variables and their meanings: npx pontual start --help'
  return (isIncomplete ? warn : fail)(`pontual start would not start: ${refusal.message}`, remedy)
}

/** @param refusal why the file cannot be used; null where it can. */
export function judgeConfigFile(file: string | null, refusal: PontualError | null): Judgement {
  if (refusal !== null) return fail(refusal.message, 'Correct the file: pontual dev and pontual start read it.')
  return ok(file === null ? 'none: environment and defaults' : file)
}
