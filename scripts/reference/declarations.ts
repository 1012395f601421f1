import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'

type Node = Readonly<Record<string, unknown>> & { readonly type: string; readonly start: number; readonly end: number }

/** Something that an entry point exports. */
export interface Declaration {
  readonly name: string
  readonly kind: 'function' | 'class' | 'interface' | 'type' | 'const' | 'namespace'
  /** The comment above it; empty where there is none. */
  readonly doc: string
  /** As it stands in the source, without bodies and without what is private. */
  readonly text: string
}

const SOURCES = fileURLToPath(new URL('../../src', import.meta.url))
const KINDS: Readonly<Record<string, Declaration['kind']>> = {
  FunctionDeclaration: 'function',
  TSDeclareFunction: 'function',
  ClassDeclaration: 'class',
  TSInterfaceDeclaration: 'interface',
  TSTypeAliasDeclaration: 'type',
  VariableDeclaration: 'const',
}

/** All that an entry point exports, in the order of names. */
export function exportsOf(entry: string): Declaration[] {
  return [...found(resolve(SOURCES, `${entry}.ts`)).values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** One declaration of a source that no entry point needs to export. */
export function declarationIn(path: string, name: string): Declaration {
  const declaration = moduleAt(resolve(SOURCES, path)).declarations.get(name)
  if (declaration === undefined) throw new TypeError(`There is no ${name} in ${path}`)
  return declaration
}

function found(path: string): Map<string, Declaration> {
  const { reexports, stars, namespaces, declarations, exported } = moduleAt(path)
  const all = new Map<string, Declaration>()
  for (const star of stars) for (const [name, each] of found(star)) all.set(name, each)
  for (const [name, { from, local }] of reexports) {
    const declaration = found(from).get(local) ?? moduleAt(from).declarations.get(local)
    if (declaration === undefined) throw new TypeError(`${path} exports ${name}, whose declaration is not found.`)
    all.set(name, { ...declaration, name })
  }
  for (const [name, from] of namespaces) all.set(name, namespaceOf(name, [...found(from).values()]))
  for (const name of exported) all.set(name, declarations.get(name)!)
  return all
}

/** What `export * as name` exports. */
function namespaceOf(name: string, members: readonly Declaration[]): Declaration {
  const texts = members.map(
    ({ doc, text }) => `${doc === '' ? '' : `/** ${doc.replaceAll('\n', '\n * ')} */\n`}${text}`,
  )
  const text = `namespace ${name} {\n${texts.join('\n\n').replaceAll(/^(?=.)/gm, '  ')}\n}`
  return { name, kind: 'namespace', doc: '', text }
}

interface Module {
  readonly reexports: ReadonlyMap<string, { readonly from: string; readonly local: string }>
  readonly stars: readonly string[]
  readonly namespaces: ReadonlyMap<string, string>
  readonly declarations: ReadonlyMap<string, Declaration>
  readonly exported: readonly string[]
}

const modules = new Map<string, Module>()

function moduleAt(path: string): Module {
  const known = modules.get(path)
  if (known !== undefined) return known
  const module = read(path)
  modules.set(path, module)
  return module
}

function read(path: string): Module {
  const source = readFileSync(path, 'utf8')
  const { program, comments } = parseSync(path, source)
  const reexports = new Map<string, { from: string; local: string }>()
  const stars: string[] = []
  const namespaces = new Map<string, string>()
  const declarations = new Map<string, Declaration>()
  const exported: string[] = []
  const docBefore = (start: number) => {
    const comment = comments.findLast(
      ({ type, value, end }) =>
        type === 'Block' && value.startsWith('*') && end <= start && source.slice(end, start).trim() === '',
    )
    return comment === undefined ? '' : comment.value.replaceAll(/^\s*\* ?/gm, '').trim()
  }
  const add = (statement: Node, declared: Node): string[] => {
    const kind = KINDS[declared.type]
    if (kind === undefined) return []
    const names =
      kind === 'const'
        ? (declared['declarations'] as Node[]).map((each) => each['id'] as Node)
        : [declared['id'] as Node]
    return names.map((id) => {
      const name = String(id['name'])
      const before = declarations.get(name)
      const text = shown(source, declared)
      // Overloads stand one after the other; what implements them is nobody's to call.
      const isImplementation = before?.kind === 'function' && declared.type === 'FunctionDeclaration'
      if (before === undefined) declarations.set(name, { name, kind, doc: docBefore(statement.start), text })
      else if (!isImplementation) declarations.set(name, { ...before, text: `${before.text}\n${text}` })
      return name
    })
  }
  for (const statement of program.body as unknown as Node[]) {
    const from = (statement['source'] as Node | null)?.['value']
    const at = typeof from === 'string' ? resolve(dirname(path), from) : ''
    if (statement.type === 'ExportAllDeclaration') {
      if (statement['exported'] === null) stars.push(at)
      else namespaces.set(nameOf(statement['exported']), at)
    } else if (statement.type === 'ExportNamedDeclaration' && typeof from === 'string') {
      for (const each of statement['specifiers'] as Node[])
        reexports.set(nameOf(each['exported']), { from: at, local: nameOf(each['local']) })
    } else if (statement.type === 'ExportNamedDeclaration' && statement['declaration']) {
      exported.push(...add(statement, statement['declaration'] as Node))
    } else add(statement, statement)
  }
  return { reexports, stars, namespaces, declarations, exported }
}

function nameOf(node: unknown): string {
  return String((node as Node)['name'])
}

/** A declaration as its users see it. */
function shown(source: string, node: Node): string {
  if (node.type === 'VariableDeclaration') return source.slice(node.start, node.end).split(' = ')[0] ?? ''
  if (node.type === 'ClassDeclaration') return shownClass(source, node)
  const body = node['body'] as Node | null
  if (node.type === 'FunctionDeclaration' && body !== null) return source.slice(node.start, body.start).trim()
  // What is written for those who change the source is not for those who read the declaration.
  return source.slice(node.start, node.end).replaceAll(/^ *\/\/.*\n/gm, '')
}

function shownClass(source: string, node: Node): string {
  const body = node['body'] as Node
  const members = (body['body'] as Node[]).flatMap((member, index, all) => {
    const key = member['key'] as Node | undefined
    const isHidden =
      key?.type === 'PrivateIdentifier' ||
      member['accessibility'] === 'private' ||
      member.type === 'StaticBlock' ||
      member['static'] === true
    if (isHidden) return []
    const value = member['value'] as Node | null
    const inner = value?.['body'] as Node | null | undefined
    const from = index === 0 ? body.start + 1 : all[index - 1]!.end
    const end = inner ? inner.start : value && member.type === 'PropertyDefinition' ? value.start : member.end
    const text = source
      .slice(from, end)
      .replace(/^\s*\n/, '')
      .replace(/\s*=?\s*$/, '')
    return [text.replaceAll(/^ *\/\/.*\n/gm, '')]
  })
  return `${source.slice(node.start, body.start).trim()} {\n${members.join('\n')}\n}`
}
