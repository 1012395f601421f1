import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A test as a page names it: `file` › group › name. */
export interface NamedTest {
  readonly file: string
  readonly names: readonly string[]
}

const NAMED = /`([\w./-]+)` › (.+)$/
const ANOTHER = /^› (.+)$/

/** The tests that the tables of a page name. After a semicolon another test of the same file may follow, without its file. */
export function namedTests(page: string): NamedTest[] {
  const found: NamedTest[] = []
  const rows = page.split('\n').filter((line) => line.startsWith('| '))
  for (const cell of rows.flatMap((row) => row.slice(2).split(' | '))) {
    let file = ''
    for (const part of cell.split('; ')) {
      const [, named, first] = NAMED.exec(part) ?? []
      const [, another] = ANOTHER.exec(part.trim()) ?? []
      file = named ?? file
      const names = (first ?? another)?.replace(/( \|| :.*|\.( .*)?)$/, '').split(' › ')
      if (names && file !== '') found.push({ file, names })
    }
  }
  return found
}

/** What stands for whole folders. */
const FOLDERS: Readonly<Record<string, string>> = {
  conformance: 'test/suites/conformance',
  durable: 'test/suites/scenarios/durable',
  api: 'test/http/api',
  'rf-112': 'test/http/api/rf-112',
}

/** The sources in which the tests of a file, as pages call it, are named. */
async function sourcesOf(file: string): Promise<string> {
  const folder = FOLDERS[file]
  if (folder !== undefined) {
    const files = (await readdir(join(root, folder))).filter((name) => name.endsWith('.ts'))
    return (await Promise.all(files.map((name) => readFile(join(root, folder, name), 'utf8')))).join('\n')
  }
  const path = file.includes('/') ? file : `test/suites/scenarios/${file}`
  for (const end of ['', '.test.ts', '.prove.ts', '.ts']) {
    const text = await readFile(join(root, path + end), 'utf8').catch(() => null)
    if (text !== null) return text
  }
  throw new Error(`There is no file ${path} with tests.`)
}

const TEXTS = /'((?:[^'\\\n]|\\.)+)'|"((?:[^"\\\n]|\\.)+)"|`((?:[^`\\]|\\.)+)`/g
const PLACES = /%[sifdj]|\$\{[^}]*\}|\$\w+/
const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Whether some text of the sources reads like a name: it may have places for the values of a table, and the name may be shortened by dots. */
function isNamedIn(sources: string, name: string): boolean {
  const wanted = new RegExp(`^${name.split('…').map(escaped).join('.*')}$`)
  for (const [, single, double, template] of sources.matchAll(TEXTS)) {
    const text = (single ?? double ?? template ?? '').replaceAll(/\\(.)/g, '$1')
    if (wanted.test(text)) return true
    if (!PLACES.test(text)) continue
    const parts = text.split(new RegExp(PLACES, 'g')).map(escaped)
    // A text that is nothing but places says nothing.
    if (parts.join('').trim() !== '' && new RegExp(`^${parts.join('.+?')}$`).test(name)) return true
  }
  return false
}

/** Those of the tests that do not exist. */
export async function missingTests(tests: readonly NamedTest[]): Promise<string[]> {
  const missing: string[] = []
  const sources = new Map<string, string>()
  for (const { file, names } of tests) {
    const text = sources.get(file) ?? (await sourcesOf(file))
    sources.set(file, text)
    for (const name of names) if (!isNamedIn(text, name.trim())) missing.push(`${file} › ${name}`)
  }
  return missing
}
