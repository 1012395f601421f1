import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { compileFunction, constants } from 'node:vm'
import { quote } from '../../../errors.ts'
import { NonRetryableError } from '../../../job/execution/failure.ts'
import type { HandlerSource } from '../../../job/type/isolation.ts'
import type { AnyJobType, JobContext } from '../../../job/type/job-type.ts'

export type IsolatedHandler = (input: unknown, context: JobContext) => unknown

/** An inline function names what stands outside of it. */
class OuterVariableError extends NonRetryableError {
  override readonly code = 'isolate.outer_variable'
}

/** A module has no such function. */
class MissingExportError extends NonRetryableError {
  override readonly code = 'isolate.export_missing'
}

/** The handler of a job type, in the thread or process where it is to run. */
export async function loadHandler(source: HandlerSource, jobType: string): Promise<IsolatedHandler> {
  importQuietly()
  const thing = `Job type ${quote(jobType)}`
  return source.from === 'module' ? await fromModule(source, thing) : fromText(source, thing)
}

/** A file URL, of a file URL or a path. */
export function urlOf(file: string): string {
  return file.startsWith('file:') ? file : pathToFileURL(file).href
}

/** Loads modules for what they do by being loaded. */
export async function preload(urls: readonly string[]): Promise<void> {
  for (const url of urls) await compile('return import(url)', url, ['url'])(url)
}

async function fromModule(
  { file, export: wanted }: HandlerSource & { from: 'module' },
  thing: string,
): Promise<IsolatedHandler> {
  const url = urlOf(file)
  const importModule = compile('return import(url)', url, ['url'])
  const module = (await importModule(url)) as Record<string, unknown>
  const names = wanted === null ? ['default', 'run'] : [wanted]
  // What bundlers make of an ES module in CommonJS has its exports within the default export.
  const within = (module['default'] ?? {}) as Record<string, unknown>
  const handler = [module, within].flatMap((each) => names.map((name) => each[name])).find(isFunction)
  if (handler) return handler as IsolatedHandler
  const found = Object.keys(module).filter((name) => typeof module[name] === 'function')
  throw new MissingExportError(
    `${thing}: ${url} must export a function ${names.map(quote).join(' or ')}, and exports ${found.length === 0 ? 'none' : found.map(quote).join(', ')}.`,
  )
}

function fromText({ text, file }: HandlerSource & { from: 'text' }, thing: string): IsolatedHandler {
  // The question mark says in a stack that the lines are not those of the file.
  const url = `${file === null ? pathToFileURL(`${process.cwd()}/`).href : urlOf(file)}?isolated`
  // Some compilers name every function by a call of this, which stands outside of it.
  const names = 'const __name = (named) => named;'
  const handler = compile(`'use strict'; ${names} return ${text}`, url)() as IsolatedHandler
  return async (input, context) => {
    try {
      return await handler(input, context)
    } catch (error) {
      throw outerVariable(error, url, thing) ?? error
    }
  }
}

/** A function of text whose imports are resolved from a file. */
function compile(body: string, url: string, parameters: string[] = []): (...given: unknown[]) => unknown {
  return compileFunction(body, parameters, {
    filename: url,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  }) as (...given: unknown[]) => unknown
}

/** Node 20 calls this way to import experimental, once: here, where nobody hears it, and not in the log of an execution. */
function importQuietly(): void {
  const { emitWarning } = process as { readonly emitWarning: unknown }
  process.emitWarning = () => {}
  try {
    void compile("return import('node:process')", pathToFileURL(process.execPath).href)()
  } finally {
    Reflect.set(process, 'emitWarning', emitWarning)
  }
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}

/** A variable that the inline function itself does not find; one that a module lacks is that module's own matter. */
function outerVariable(error: unknown, url: string, thing: string): OuterVariableError | null {
  if (!(error instanceof ReferenceError)) return null
  const name = /^(\S+) is not defined$/.exec(error.message)?.[1]
  const frame = error.stack?.split('\n').find((line) => /^\s+at /.test(line))
  if (name === undefined || !frame?.includes(url)) return null
  return new OuterVariableError(
    `${thing}: its inline function runs in an isolate and cannot see ${quote(name)}, nor anything else around it. Import what it needs inside of it with await import(), or put it into a module and name that in isolate.module.`,
    { cause: error },
  )
}

/** The handler of a job type, isolated or not, for this process: where time is moved by hand a thread or a process could not follow. */
export function handlerInProcess(type: AnyJobType): IsolatedHandler {
  const { id, isolation } = type
  if (isolation?.handler.from !== 'module') return (input, context) => type.run(input, context)
  const { handler: source } = isolation
  let loading: Promise<IsolatedHandler> | null = null
  return async (input, context) => {
    loading ??= loadHandler(source, id)
    const handler = await loading
    return await handler(input, context)
  }
}
