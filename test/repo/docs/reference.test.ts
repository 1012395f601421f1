import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { includesOf, withIncludes } from '../../../docs/.vitepress/includes.ts'
import { referenceParts } from '../../../scripts/reference/parts.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'
import { deadLinks } from './links.ts'
import { findPages, ROOT, readPage } from './pages.ts'

const FOLDER = '.vitepress/reference/'

describe.skipIf(isPostgresSkipped())('the generated parts of the reference', () => {
  let parts: ReadonlyMap<string, string>
  let pages: ReadonlyMap<string, string>
  let database: TestDatabase
  let client: pg.Client
  beforeAll(async () => {
    database = await createDatabase()
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
    parts = await referenceParts(async (sql) => (await client.query<Record<string, unknown>>(sql)).rows)
    const paths = (await findPages()).filter((path) => path.startsWith('docs/'))
    pages = new Map(await Promise.all(paths.map(async (path) => [path, await readPage(path)] as const)))
  })
  afterAll(async () => {
    await client?.end()
    await database?.drop()
  })
  const complete = (page: string) =>
    withIncludes(pages.get(page)!, (path) => {
      const part = parts.get(path.replace(FOLDER, ''))
      if (part === undefined) throw new TypeError(`${page} includes ${path}, which is not generated.`)
      return part
    })

  it('are each included by one page', () => {
    const included = [...pages.values()].flatMap(includesOf)
    expect(included.sort()).toEqual([...parts.keys()].map((path) => `${FOLDER}${path}`).sort())
  })

  it('have links that lead somewhere', () => {
    const completed = new Map([...pages.keys()].map((page) => [page, complete(page)]))
    const files = { pages: completed, has: (path: string) => completed.has(path) || existsSync(join(ROOT, path)) }
    const reference = [...pages.keys()].filter((page) => includesOf(pages.get(page)!).length > 0)
    expect(reference.length).toBeGreaterThanOrEqual(22)
    expect(reference.flatMap((page) => deadLinks(page, files))).toEqual([])
  })

  it('document every entry point of the package, and every value that it exports', async () => {
    const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { exports: object }
    const entries = Object.keys(exports).flatMap((name) => (name.endsWith('.json') ? [] : [name.slice(2) || 'index']))
    const ofTime = new Set(Object.keys(await import('../../../src/time.ts')))
    for (const entry of entries) {
      const exported = Object.keys((await import(`../../../src/${entry}.ts`)) as object)
      const page = complete(`docs/reference/api/${entry}.md`)
      const missing = exported.filter((name) => !new RegExp(`^## ${name} \\{#`, 'm').test(page))
      // What `pontual` has in common with `pontual/time` is documented there.
      expect(missing.filter((name) => entry !== 'index' || !ofTime.has(name), entry)).toEqual([])
    }
  })
})
