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

export function readSourceFiles(folder: string): SourceFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readSourceFile(path, readFileSync(`${folder}/${path}`, 'utf8')))
}

export function readSourceFile(path: string, text: string): SourceFile {
  const { program, errors } = parseSync(path, text)
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`)

  const specifiers: string[] = []
  const collect = (node: { readonly source: { readonly type: string; readonly value?: unknown } | null }): void => {
    if (node.source === null) return
    if (typeof node.source.value !== 'string') throw new Error(`${path}: an import whose address is computed.`)
    specifiers.push(node.source.value)
  }
  new Visitor({
    ImportDeclaration: collect,
    ImportExpression: collect,
    ExportNamedDeclaration: collect,
    ExportAllDeclaration: collect,
    TSImportType: collect,
  }).visit(program)

  return {
    path,
    imports: specifiers.map((name) => (name.startsWith('.') ? posix.join(posix.dirname(path), name) : name)),
    lineCount: text.split('\n').length - 1,
    hasOnlyReexports: program.body.every(
      (node) =>
        node.type === 'ExportAllDeclaration' || (node.type === 'ExportNamedDeclaration' && node.source !== null),
    ),
  }
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
