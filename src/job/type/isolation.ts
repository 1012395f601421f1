import { InvalidInputError } from '../../errors.ts'
import { invalidOption, requireInteger, requireOneOf, requireOptions, requireText } from '../../time/require.ts'

/** `thread`: cheap to start, and its crash is its own unless native code crashes. `process`: nothing it does can hurt the node. */
export type IsolateKind = 'thread' | 'process'

/** How a handler runs outside of the node's event loop. */
export interface InlineIsolateOptions {
  readonly kind: IsolateKind
  /** How much heap its handler may use, in MiB; buffers do not count. Default: Node's own limit. */
  readonly memoryMb?: number | undefined
  /** How many are started with the node and stay, so that not even the first run waits for one. Default 0. */
  readonly warm?: number | undefined
  readonly module?: undefined
  readonly export?: undefined
}

/** The same, for a handler that is a function of a module of its own. */
export interface ModuleIsolateOptions extends Omit<InlineIsolateOptions, 'module' | 'export'> {
  /** A file URL or an absolute path, such as `new URL('./resize.js', import.meta.url)`. It is imported once by each thread or process. */
  readonly module: URL | string
  /** Which of its exports is the handler. Default: `default`, else `run`. */
  readonly export?: string | undefined
}

/** Where an isolate finds its handler. */
export type HandlerSource =
  | { readonly from: 'module'; readonly file: string; readonly export: string | null }
  /** `text` is an expression. Its imports are resolved from `file`. */
  | { readonly from: 'text'; readonly text: string; readonly file: string | null }

/** The options of an isolate, checked and complete. */
export interface Isolation {
  readonly kind: IsolateKind
  readonly handler: HandlerSource
  readonly memoryMb: number | null
  readonly warm: number
}

type AnyFunction = (...given: never[]) => unknown

export interface IsolationRequest {
  readonly thing: string
  readonly isolate: IsolateKind | InlineIsolateOptions | ModuleIsolateOptions
  readonly run: AnyFunction | undefined
  /** Whoever called it wrote the inline function. */
  readonly declaredBy: AnyFunction
}

/** Less than this is not enough for Node itself. */
const LEAST_MEMORY_MB = 16
const MOST_MEMORY_MB = 1_048_576
const MOST_WARM = 100

export function isolationOf({ thing, isolate, run, declaredBy }: IsolationRequest): Isolation {
  const options = typeof isolate === 'object' && isolate !== null ? isolate : { kind: isolate }
  requireOptions(options, `${thing}: isolate`, ['kind', 'module', 'export', 'memoryMb', 'warm'])
  const { kind, memoryMb, warm = 0 } = options
  return Object.freeze({
    kind: requireOneOf(kind, `${thing}: isolate`, ['thread', 'process']),
    handler: handlerOf(options, run, { thing, declaredBy }),
    memoryMb:
      memoryMb === undefined ? null : requireInteger(memoryMb, `${thing}: memoryMb`, LEAST_MEMORY_MB, MOST_MEMORY_MB),
    warm: requireInteger(warm, `${thing}: warm`, 0, MOST_WARM),
  })
}

function handlerOf(
  options: InlineIsolateOptions | ModuleIsolateOptions,
  run: AnyFunction | undefined,
  { thing, declaredBy }: Pick<IsolationRequest, 'thing' | 'declaredBy'>,
): HandlerSource {
  if (options.module !== undefined) {
    if (run !== undefined) throw invalidOption(run, `${thing}: run`, 'left out beside isolate.module')
    const name = options.export === undefined ? null : requireText(options.export, `${thing}: isolate.export`)
    return { from: 'module', file: fileOf(options.module, `${thing}: isolate.module`), export: name }
  }
  const { export: name } = options as { readonly export?: unknown }
  if (name !== undefined) throw invalidOption(name, `${thing}: isolate.export`, 'left out where there is no module')
  if (run === undefined) throw invalidOption(run, `${thing}: run`, 'a function, or isolate.module the file of one')
  return { from: 'text', text: expressionOf(run, thing), file: fileOfCaller(declaredBy) }
}

function fileOf(module: unknown, name: string): string {
  const text = module instanceof URL ? module.href : module
  if (typeof text === 'string' && /^(file:\/\/|\/|[A-Za-z]:[\\/]|\\\\)/.test(text)) return text
  throw invalidOption(
    text,
    name,
    'a file URL or an absolute path',
    " For a file beside this one take new URL('./file.js', import.meta.url), for a package import.meta.resolve('name').",
  )
}

/** The source of a function, as an expression that gives it. */
function expressionOf(run: AnyFunction, thing: string): string {
  const text = Function.prototype.toString.call(run)
  if (/\{\s*\[native code\]\s*\}\s*$/.test(text)) throw unsendable(thing, 'it is bound or native and has no source')
  if (/^class\b/.test(text)) throw unsendable(thing, 'it is a class')
  if (/Generator/.test(run.constructor.name)) throw unsendable(thing, 'it is a generator')
  // The second form is for a method, as in `job('work', { async run() {} })`.
  const forms = [`(${text}\n)`, `Object.values({${text}\n})[0]`]
  const problems = forms.map(problemOf)
  const form = forms[problems.indexOf(null)]
  if (form !== undefined) return form
  throw unsendable(thing, `its source does not stand by itself: ${problems[text.startsWith('(') ? 0 : 1]}`)
}

/** Why a text is not an expression; null where it is one. */
function problemOf(text: string): string | null {
  try {
    // Compiled, never called.
    Reflect.construct(Function, [`'use strict'; return ${text}`])
    return null
  } catch (error) {
    // A process that may not compile text cannot tell.
    return error instanceof SyntaxError ? error.message : null
  }
}

function unsendable(thing: string, reason: string): InvalidInputError {
  const message = `${thing}: run cannot be sent to an isolate: ${reason}. Write it as a plain function that uses nothing around it, or name its file in isolate.module.`
  return new InvalidInputError('isolate.unsendable', message, { name: 'run', reason })
}

interface CallSite {
  getFileName(): unknown
}

/** The file of whoever called a function; null where that cannot be told. */
function fileOfCaller(called: AnyFunction): string | null {
  const { prepareStackTrace: before } = Error as { prepareStackTrace?: unknown }
  const holder: { stack?: unknown } = {}
  try {
    Error.prepareStackTrace = (_error, sites: readonly CallSite[]) => sites[0]?.getFileName()
    Error.captureStackTrace(holder, called)
    return typeof holder.stack === 'string' && /^(file:\/\/|\/|[A-Za-z]:[\\/])/.test(holder.stack) ? holder.stack : null
  } finally {
    Reflect.set(Error, 'prepareStackTrace', before)
  }
}

/** What a job type whose handler is in a module answers whoever calls it directly. */
export function refuseDirectCall(thing: string): () => never {
  return () => {
    throw new InvalidInputError(
      'isolate.elsewhere',
      `${thing}: its handler is in a module, and runs in an isolate only.`,
    )
  }
}
