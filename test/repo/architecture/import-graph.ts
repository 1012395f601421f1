import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'

/** A source file as the import rule sees it; paths are relative to src/, with forward slashes. */
export interface SourceFile {
  readonly path: string
  /** Paths of the files it imports, and names of packages and built-ins as they are written. */
  readonly imports: readonly string[]
  readonly lineCount: number
  readonly hasOnlyReexports: boolean
}

/** What a file imports, and whether anything of that is left once types are gone. */
export interface Import {
  readonly target: string
  readonly isTypeOnly: boolean
}

export function readSourceFiles(folder: string): SourceFile[] {
  return listPaths(folder)
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readSourceFile(path, readFileSync(`${folder}/${path}`, 'utf8')))
}

/** Every file below a folder, with forward slashes. */
export function listPaths(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'))
}

export function readSourceFile(path: string, text: string): SourceFile {
  const program = parse(path, text)
  return {
    path,
    imports: importsOf(path, program).map(({ target }) => target),
    lineCount: text.split('\n').length - 1,
    hasOnlyReexports: program.body.every(
      (node) =>
        node.type === 'ExportAllDeclaration' || (node.type === 'ExportNamedDeclaration' && node.source !== null),
    ),
  }
}

/** Everything that a file imports. */
export function readImports(path: string, text: string): Import[] {
  return importsOf(path, parse(path, text))
}

type Program = ReturnType<typeof parseSync>['program']

function parse(path: string, text: string): Program {
  const { program, errors } = parseSync(path, text)
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`)
  return program
}

/** Where the files of a user's project are loaded: which those are is his to say. */
const LOADS_FILES_OF_USERS = /^cli\/config\//

interface Importing {
  readonly source: { readonly type: string; readonly value?: unknown } | null
  readonly importKind?: string
  readonly exportKind?: string
}

function importsOf(path: string, program: Program): Import[] {
  const found: Import[] = []
  const collect = (node: Importing, isTypeOnly = node.importKind === 'type' || node.exportKind === 'type'): void => {
    if (node.source === null) return
    const { value: name } = node.source
    if (typeof name !== 'string' && LOADS_FILES_OF_USERS.test(path)) return
    if (typeof name !== 'string') throw new Error(`${path}: an import whose address is computed.`)
    found.push({ target: name.startsWith('.') ? posix.join(posix.dirname(path), name) : name, isTypeOnly })
  }
  new Visitor({
    ImportDeclaration: (node) => collect(node),
    ImportExpression: (node) => collect(node, false),
    ExportNamedDeclaration: (node) => collect(node),
    ExportAllDeclaration: (node) => collect(node),
    TSImportType: (node) => collect(node, true),
  }).visit(program)
  return found
}

/** The first import cycle there is, as the row of files that leads back to its start. */
export function findCycle(files: readonly SourceFile[]): string[] | undefined {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const finished = new Set<string>()

  const search = (path: string, trail: readonly string[]): string[] | undefined => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path]
    if (finished.has(path)) return undefined
    for (const next of byPath.get(path)?.imports ?? []) {
      const cycle = search(next, [...trail, path])
      if (cycle) return cycle
    }
    finished.add(path)
    return undefined
  }
  for (const { path } of files) {
    const cycle = search(path, [])
    if (cycle) return cycle
  }
  return undefined
}
