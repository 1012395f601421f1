import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Node, parseSync } from 'oxc-parser'

/** The text of a named declaration, and its position in its file. */
export interface Declaration {
  readonly file: string
  readonly start: number
  readonly text: string
}

/** All declarations of the sources in a folder, by name: functions, classes, `Class.member`, constants, and `pontual.name` for SQL functions and triggers. */
export type Declarations = ReadonlyMap<string, readonly Declaration[]>

/** Reads the TypeScript under `src` and the SQL under `sql`. */
export function readDeclarations(root: string): Declarations {
  const found = new Map<string, Declaration[]>()
  const add = (name: string, file: string, text: string, start: number, end: number) => {
    found.set(name, [...(found.get(name) ?? []), { file, start, text: text.slice(start, end) }])
  }
  for (const file of filesIn(root, 'src', '.ts')) {
    if (file.endsWith('.test.ts')) continue
    const text = readFileSync(join(root, file), 'utf8')
    for (const { name, start, end } of declaredIn(file, text)) add(name, file, text, start, end)
  }
  for (const file of filesIn(root, 'sql', '.sql')) {
    const text = readFileSync(join(root, file), 'utf8')
    for (const { name, start, end } of definedIn(text)) add(name, file, text, start, end)
  }
  return found
}

interface Range {
  readonly name: string
  readonly start: number
  readonly end: number
}

function filesIn(root: string, folder: string, ending: string): string[] {
  let names: string[]
  try {
    names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  } catch {
    return []
  }
  const files = names.filter((name) => name.endsWith(ending)).map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
  return files.sort((a, b) => (a < b ? -1 : 1))
}

function declaredIn(file: string, text: string): Range[] {
  const ranges: Range[] = []
  for (const statement of parseSync(file, text).program.body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (!declaration) continue
    if (declaration.type === 'VariableDeclaration') {
      for (const each of declaration.declarations) {
        if (each.id.type === 'Identifier') ranges.push({ name: each.id.name, start: each.start, end: each.end })
      }
    } else if (declaration.type === 'FunctionDeclaration' && declaration.id) {
      ranges.push({ name: declaration.id.name, start: declaration.start, end: declaration.end })
    } else if (declaration.type === 'ClassDeclaration' && declaration.id) {
      const { name } = declaration.id
      ranges.push({ name, start: declaration.start, end: declaration.end })
      for (const member of declaration.body.body) {
        const key = 'key' in member ? nameOf(member.key) : null
        if (key !== null) ranges.push({ name: `${name}.${key}`, start: member.start, end: member.end })
      }
    }
  }
  return ranges
}

function nameOf(key: Node): string | null {
  if (key.type === 'PrivateIdentifier') return `#${key.name}`
  return key.type === 'Identifier' ? key.name : null
}

/** A function ends after its body, which stands between dollar quotes; a trigger ends at its semicolon. */
const FUNCTION = /^create (?:or replace )?function (?:\S+\.)?(\w+)\s*\([^$]*(\$\w*\$)[\s\S]*?\2[^;]*;/gim
const TRIGGER = /^create (?:constraint )?trigger (?<trigger>\w+)\s[^;]*?\son (?:\w+\.)?(?<table>\w+)\s[^;]*;/gim

function definedIn(text: string): Range[] {
  return [FUNCTION, TRIGGER].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ 0: { length }, 1: name = '', index, groups }) => ({
      name: groups ? `pontual.${groups['table']}.${groups['trigger']}` : `pontual.${name}`,
      start: index,
      end: index + length,
    })),
  )
}
