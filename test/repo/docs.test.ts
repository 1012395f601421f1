import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

/** Pages whose tables link tests, and the fewest links of each. test/repo/docs/links.test.ts verifies that every link leads somewhere. */
const PAGES: readonly (readonly [page: string, fewest: number])[] = [
  ['proof/acceptance', 90],
  ['proof/durable-requirements', 50],
  ['proof/invariants', 200],
  ['proof/rf-112', 200],
  ['proof/security', 50],
  ['explanation/guarantees', 15],
]

const root = fileURLToPath(new URL('../..', import.meta.url))
const docs = join(root, 'docs')

interface Citation {
  readonly path: string
  /** Identifiers that the tests carry in their names, such as S5 or RN-JOB-112-05. */
  readonly ids: readonly string[]
}

const LINK = /\]\((\.\.\/[^)]+)\)((?:,? (?:[SI]\d+|RN-[A-Z]+-[\d-]+|\d+\.\d+)\b)*)/g

function citationsOf(page: string): Citation[] {
  const path = join(docs, `${page}.md`)
  return [...readFileSync(path, 'utf8').matchAll(LINK)].map(([, link = '', ids = '']) => ({
    path: join(dirname(path), link),
    ids: ids.split(/,? /).filter((id) => id !== ''),
  }))
}

/** The text of a file, or of all files in a folder. */
function textOf(path: string): string {
  if (!statSync(path).isDirectory()) return readFileSync(path, 'utf8')
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  return names.map((name) => readFileSync(join(path, name), 'utf8')).join('\n')
}

describe('pages that link tests', () => {
  it.each(PAGES)('%s names identifiers that its tests carry', (page, fewest) => {
    const citations = citationsOf(page).filter(({ path }) => /\.(test|prove)\.ts$|\/test\//.test(path))
    expect(citations.length).toBeGreaterThanOrEqual(fewest)
    const unknown = citations.flatMap(({ path, ids }) => {
      const text = ids.length > 0 ? textOf(path) : ''
      return ids.filter((id) => !text.includes(id)).map((id) => `${path} ${id}`)
    })
    expect(unknown).toEqual([])
  })

  it('include every row of rf-112', () => {
    const tables = readFileSync(join(docs, 'proof/rf-112.md'), 'utf8').split('\n\n')
    const asking = tables.filter((table) => table.startsWith('| ') && table.split('\n', 1)[0]?.includes('shown by'))
    const rows = asking.flatMap((table) => table.trim().split('\n').slice(2))
    expect(rows.length).toBeGreaterThan(100)
    expect(rows.filter((row) => !/\]\(|`npm run |\*\*to come\*\*|the same/.test(row))).toEqual([])
  })
})
