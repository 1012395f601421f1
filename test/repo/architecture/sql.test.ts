import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

function textsBelow(folder: string, extension: string): { path: string; text: string }[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(extension))
    .sort()
    .map((file) => ({ path: `${folder}/${file}`, text: readFileSync(join(ROOT, folder, file), 'utf8') }))
}

const sql = textsBelow('sql', '.sql')
const all = [...sql, ...textsBelow('src', '.ts'), ...textsBelow('scripts', '.mjs'), ...textsBelow('bench', '.mjs')]

function definitionsIn(text: string): string[] {
  return [...text.matchAll(/\bcreate (?:or replace )?function pontual\.(\w+)\(/gi)].map(([, name = '']) => name)
}

describe('SQL', () => {
  it('defines each function once, in the file of its name', () => {
    const defined = all
      .filter(({ path }) => !path.endsWith('.test.ts'))
      .flatMap(({ path, text }) => definitionsIn(text).map((name) => ({ path, name })))
    expect(defined.filter(({ path, name }) => path !== `sql/functions/${name}.sql`)).toEqual([])
    const files = sql.map(({ path }) => path).filter((path) => path.startsWith('sql/functions/'))
    expect(defined.map(({ path }) => path)).toEqual(files)
  })

  it('replaces a function, so that it can be applied again', () => {
    const created = sql.filter(({ text }) => /^create function/m.test(text)).map(({ path }) => path)
    expect(created).toEqual([])
  })

  it('contains no planner switch', () => {
    const switches = /\b(?:enable_\w+|jit(?:_\w+)?)\s*(?:=|to\b)/
    const sent = all.filter(({ path }) => /^(?:sql|src\/store)\//.test(path))
    expect(sent.filter(({ text }) => switches.test(text)).map(({ path }) => path)).toEqual([])
  })

  it('creates each table in one file', () => {
    const tables = sql.flatMap(({ text }) =>
      [...text.matchAll(/^create table (pontual\.\w+)/gm)].map(([, name]) => name),
    )
    expect(tables).toEqual([...new Set(tables)])
  })
})
