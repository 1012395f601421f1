import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PONTUAL_OPTIONS, type PontualOptions } from '../../engine/app/options.ts'
import { InvalidInputError, PontualError, quote } from '../../errors.ts'
import type { AnyJobType } from '../../job/type/job-type.ts'
import { type Config, defineConfig } from '../../server/define-config.ts'
import { describeLoadProblem } from '../typescript/load-problem.ts'
import type { LoadedFiles } from '../typescript/read-typescript.ts'
import { expand, globOf, isGlob } from './glob.ts'

/** Where the user's own code is. */
export interface ProjectOptions {
  /** `pontual.config.ts`, wherever it is. Default: the one in the directory. */
  readonly config?: string | undefined
  /** Modules with job types, beside those that the configuration names. */
  readonly jobs?: readonly string[] | undefined
}

/** What the user has written, loaded. */
export interface Project {
  readonly config: Config
  readonly jobs: readonly AnyJobType[]
}

/** Where modules are looked for. */
export interface ModulePattern {
  readonly pattern: string
  readonly directory: string
}

const CONFIG_NAMES = ['ts', 'mts', 'js', 'mjs'].map((ending) => `pontual.config.${ending}`)

/** Never meant to be loaded as jobs, though they stand beside them. */
const NO_JOBS = /(\.d\.[mc]?ts|\.(test|spec)\.[mc]?[jt]s)$/

/** The configuration of a directory; null where there is none. One that is named has to be there. */
export function findConfig(named: string | undefined, directory: string): string | null {
  if (named === undefined)
    return CONFIG_NAMES.map((name) => join(directory, name)).find((file) => existsSync(file)) ?? null
  const file = resolve(directory, named)
  if (existsSync(file)) return file
  throw new InvalidInputError('config.missing', `--config: there is no file ${quote(named)}.`, { file: named })
}

/** Loads the configuration and the job types. `onPattern` is told where job types are looked for, before they are. */
export async function loadProject(
  options: ProjectOptions,
  around: {
    readonly directory: string
    readonly loaded?: LoadedFiles
    readonly onPattern?: (of: ModulePattern) => void
  },
): Promise<Project> {
  const { directory, loaded = () => [], onPattern } = around
  const load = (file: string) => loadModule(file, directory, loaded)
  const file = findConfig(options.config, directory)
  const config = file === null ? {} : await configOf(await load(file), file)
  const jobs = new Set<AnyJobType>()
  const places = new Map<string, readonly [type: AnyJobType, file: string]>()
  const take = async (pattern: string, from: string) => {
    onPattern?.({ pattern, directory: from })
    for (const [type, file] of await typesOf(pattern, from, load)) {
      const [other, place] = places.get(type.id) ?? [type, file]
      if (other !== type) throw declaredTwice(type.id, relative(directory, place), relative(directory, file))
      places.set(type.id, [other, place])
      jobs.add(type)
    }
  }
  for (const each of config.jobs ?? []) {
    if (typeof each === 'string') await take(each, dirname(file ?? directory))
    else jobs.add(each)
  }
  for (const each of options.jobs ?? []) await take(each, directory)
  return { config, jobs: [...jobs] }
}

type Exports = Readonly<Record<string, unknown>>

async function loadModule(file: string, directory: string, loaded: LoadedFiles): Promise<Exports> {
  try {
    return (await import(pathToFileURL(file).href)) as Exports
  } catch (cause) {
    throw new ProjectError(describeLoadProblem(cause, loaded(), directory), cause)
  }
}

/** What the user has written cannot be loaded. */
export class ProjectError extends InvalidInputError {
  constructor(message: string, cause?: unknown) {
    super('config.unloadable', message, cause instanceof PontualError ? { ...cause.details, code: cause.code } : {}, {
      cause,
    })
  }
}

async function configOf({ default: exported }: Exports, file: string): Promise<Config> {
  // Whoever asks somebody for a secret has a promise.
  const config = await exported
  if (typeof config === 'object' && config !== null) return defineConfig(config)
  throw new ProjectError(`${quote(file)} must export a configuration: export default defineConfig({ … })`)
}

/** The job types of a module, or of all modules that match, each with its file. */
async function typesOf(
  pattern: string,
  directory: string,
  load: (file: string) => Promise<Exports>,
): Promise<(readonly [type: AnyJobType, file: string])[]> {
  if (!isGlob(pattern)) {
    const file = resolve(directory, pattern)
    if (!existsSync(file)) throw new ProjectError(`There is no module ${quote(pattern)} with job types.`)
    const types = exportedTypes(await load(file))
    if (types.length > 0) return types.map((type) => [type, file])
    throw new ProjectError(`${quote(pattern)} exports no job type: export what job(…) gives, or a list of that.`)
  }
  const files = expand(globOf(pattern, directory)).files.filter((file) => !NO_JOBS.test(file))
  if (files.length === 0) throw new ProjectError(`No file matches ${quote(pattern)}.`)
  const found: (readonly [AnyJobType, string])[] = []
  for (const file of files) for (const type of exportedTypes(await load(file))) found.push([type, file])
  return found
}

function declaredTwice(id: string, first: string, second: string): ProjectError {
  const where = first === second ? `twice in ${first}` : `in ${first} and in ${second}`
  return new ProjectError(`Job type ${quote(id)} is declared ${where}: give one of them another id.`)
}

function exportedTypes(exports: Exports): AnyJobType[] {
  return Object.values(exports).flat().filter(isJobType)
}

/** As much of it as tells it from whatever else a module may export. */
function isJobType(value: unknown): value is AnyJobType {
  const { id, run, schedules } = (value ?? {}) as Partial<AnyJobType>
  return typeof id === 'string' && typeof run === 'function' && Array.isArray(schedules)
}

/** What of a configuration `pontual()` takes as it stands. */
export function engineOptions(config: Config): Omit<PontualOptions, 'store' | 'jobs'> {
  const names: ReadonlySet<string> = new Set(PONTUAL_OPTIONS.filter((name) => name !== 'store' && name !== 'jobs'))
  return Object.fromEntries(Object.entries(config).filter(([name]) => names.has(name)))
}
