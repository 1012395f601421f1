import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Where something is wrong in a file of the user's, and what. */
interface Place {
  readonly file: string
  readonly line: string
  /** The line itself, with what is wrong marked below it. */
  readonly picture: string
}

/** Begins the text of an error that Node, or what strips types, has found in a file before it ran. */
const BEFORE_IT_RAN = /^(file:[^\n]*|\/[^\n]*|[A-Z]:\\[^\n]*):(\d+)\n([\s\S]*?)\n\s*\w*Error/
const FRAME = /(file:\/\/\S+):(\d+):\d+\)?$/gm

const HINTS: readonly (readonly [RegExp, string])[] = [
  [
    /not supported in strip-only mode/,
    'Types are taken out of TypeScript and nothing else is changed: write an enum as an object with `as const`, a namespace as a module, and fields of a class in full.',
  ],
  [/does not provide an export named/, 'If that is a type, import it with `import type`.'],
  [/outside a module|Unexpected token 'export'/, 'Say "type": "module" in package.json, or let the file end in .mts.'],
  [/Cannot find (package|module) 'pontual'/, 'Install it in this project: npm install pontual'],
  [
    /needs an import attribute of type "json"/,
    "Import it as JSON: import data from './data.json' with { type: 'json' }",
  ],
]

/**
 * Why a module of the user's could not be loaded, the same in every version of Node: in which line of which file, that line, and what to do about it.
 * `loaded` are the files that were read until then.
 */
export function describeLoadProblem(error: unknown, loaded: readonly string[] = [], directory = process.cwd()): string {
  const message = messageOf(error).replaceAll(`${directory}/`, '')
  const place = placeBefore(error) ?? placeChecked(error, loaded) ?? placeOfThrow(error, loaded)
  const hint =
    HINTS.find(([pattern]) => pattern.test(message))?.[1] ??
    endingHint(error, directory) ??
    aliasHint(error, message, directory)
  const head = place === null ? message : `${relative(directory, place.file)}:${place.line}: ${message}`
  return [head, place?.picture ?? '', hint ?? ''].filter((part) => part !== '').join('\n')
}

/** The file that was not found, where that is why. */
export function missingFile(error: unknown): string | null {
  const { code, url } = (error ?? {}) as NodeJS.ErrnoException & { readonly url?: unknown }
  return code === 'ERR_MODULE_NOT_FOUND' && typeof url === 'string' && url.startsWith('file:')
    ? fileURLToPath(url)
    : null
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? ''
}

function placeBefore(error: unknown): Place | null {
  return error instanceof SyntaxError ? placeIn(error.stack ?? '') : null
}

function placeIn(text: string): Place | null {
  const [, file, line, snippet = ''] = BEFORE_IT_RAN.exec(text) ?? []
  if (file === undefined || line === undefined) return null
  const picture = snippet.split('\n').filter((each) => each.trim() !== '')
  return {
    file: pathOf(file),
    line,
    picture: picture
      .slice(-2)
      .map((each) => `  ${each}`)
      .join('\n'),
  }
}

/** Of JavaScript that cannot be parsed Node tells an import only what is wrong, and `node --check` also where. */
function placeChecked(error: unknown, loaded: readonly string[]): Place | null {
  if (!(error instanceof SyntaxError)) return null
  for (const file of loaded.filter((each) => /\.[mc]?js$/.test(each))) {
    const { status, stderr } = spawnSync(process.execPath, ['--check', file], { encoding: 'utf8', timeout: 10_000 })
    if (status !== 0) return placeIn(stderr)
  }
  return null
}

/** The first of the user's own lines that led to it. */
function placeOfThrow(error: unknown, loaded: readonly string[]): Place | null {
  if (!(error instanceof Error)) return null
  for (const [, url = '', line = ''] of (error.stack ?? '').matchAll(FRAME)) {
    const file = fileURLToPath(url)
    if (loaded.includes(file)) return { file, line, picture: '' }
  }
  return null
}

/** Node finds files by their whole names. */
function endingHint(error: unknown, directory: string): string | null {
  const missing = missingFile(error)
  if (missing === null) return null
  const candidates = [`${missing}.ts`, missing.replace(/\.([mc]?)js$/, '.$1ts'), `${missing}/index.ts`]
  const found = candidates.find((each) => each !== missing && existsSync(each))
  return found === undefined ? null : `Write its whole name: ${relative(directory, found)}`
}

/** What a compiler finds by `paths` of a tsconfig, Node does not. */
function aliasHint(error: unknown, message: string, directory: string): string | null {
  const [, name = ''] = /Cannot find (?:package|module) '([^']+)'/.exec(message) ?? []
  if ((error as NodeJS.ErrnoException | null)?.code !== 'ERR_MODULE_NOT_FOUND' || name === '') return null
  if (!/^[@~]\//.test(name) && !isAliased(name, directory)) return null
  return '`paths` of tsconfig.json are not followed, since no compiler runs: import by a relative path, or by a name that begins with # and stands in "imports" of package.json.'
}

function isAliased(name: string, directory: string): boolean {
  try {
    const text = readFileSync(join(directory, 'tsconfig.json'), 'utf8')
    const [first = ''] = name.split('/')
    return text.includes('"paths"') && text.includes(`"${first}`)
  } catch {
    return false
  }
}

function pathOf(file: string): string {
  return file.startsWith('file:') ? fileURLToPath(file) : fileURLToPath(pathToFileURL(file))
}
