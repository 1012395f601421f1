import { type Dirent, existsSync, readdirSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'

/** Names of files by a pattern: `*` and `?` within a name, `**` for any number of folders, `{a,b}` for either. */
export interface Glob {
  /** As it was written. */
  readonly pattern: string
  /** The folder that all of them are in. */
  readonly base: string
  readonly matches: (path: string) => boolean
}

export interface Found {
  readonly files: readonly string[]
  /** Those that were looked through: a new file in one of them may match. */
  readonly folders: readonly string[]
}

export function isGlob(text: string): boolean {
  return /[*?{]/.test(text)
}

export function globOf(pattern: string, directory: string): Glob {
  const normal = pattern.replaceAll('\\', '/').replace(/^\.\//, '')
  const fixed = normal.split('/')
  const steps = fixed.findIndex(isGlob)
  const base = resolve(directory, fixed.slice(0, steps).join('/') || '.')
  const regex = regexOf(fixed.slice(steps).join('/'))
  return {
    pattern,
    base,
    matches: (path) => path.startsWith(join(base, sep)) && regex.test(relative(base, path).split(sep).join('/')),
  }
}

/** The files of a glob, in the order of their names. Folders of packages, and those whose names begin with a dot, are left out. */
export function expand({ base, matches }: Glob): Found {
  if (!existsSync(base)) return { files: [], folders: [nearestFolder(base)] }
  const [files, folders]: [string[], string[]] = [[], []]
  const visit = (folder: string): void => {
    folders.push(folder)
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) {
        if (entry.name !== 'node_modules' && !entry.name.startsWith('.')) visit(path)
      } else if (matches(path)) files.push(path)
    }
  }
  visit(base)
  return { files: files.sort((a, b) => (a < b ? -1 : 1)), folders }
}

/** So that one that is made later is seen. */
export function nearestFolder(folder: string): string {
  const parent = dirname(folder)
  return existsSync(folder) || parent === folder ? folder : nearestFolder(parent)
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

const TOKENS: Readonly<Record<string, string>> = {
  '**/': '(?:[^/]+/)*',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
  '{': '(?:',
  '}': ')',
}

function regexOf(pattern: string): RegExp {
  const text = pattern
    .split(/(\{[^{}]*\})/)
    // Between the choices, which stand at odd places, a brace is a character as any other.
    .map((part, index) => (index % 2 === 1 ? escaped(part, true).replaceAll(',', '|') : escaped(part, false)))
    .join('')
  return new RegExp(`^${text}$`)
}

function escaped(part: string, isChoice: boolean): string {
  return part.replace(/\*\*\/|\*\*|[*?]|[.+^$()|[\]\\{}]/g, (token) => {
    const isBrace = token === '{' || token === '}'
    return (isBrace && !isChoice ? undefined : TOKENS[token]) ?? `\\${token}`
  })
}
