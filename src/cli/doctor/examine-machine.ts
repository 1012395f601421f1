import process from 'node:process'
import type { CancelTimer, Env } from '../../clock.ts'
import { PontualError } from '../../errors.ts'
import type { Config } from '../../server/define-config.ts'
import { findConfig, loadProject } from '../config/load-project.ts'
import { type Environment, startSettings } from '../start-settings.ts'
import { readTypeScript } from '../typescript/read-typescript.ts'
import { type Finding, find } from './finding.ts'
import { judgeConfigFile, judgeEnvironment, judgeNode } from './judge-machine.ts'

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
