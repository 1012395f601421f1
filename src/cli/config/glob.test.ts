import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expand, globOf } from './glob.ts'

const FILES = ['a.ts', 'jobs/b.ts', 'jobs/c.mjs', 'jobs/deep/er/d.ts', 'jobs/node_modules/e.ts', 'jobs/.f/g.ts']

let directory = ''
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'pontual-glob-'))
  for (const file of FILES) {
    mkdirSync(dirname(join(directory, file)), { recursive: true })
    writeFileSync(join(directory, file), '')
  }
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

describe('a glob', () => {
  it.each<[string, readonly string[]]>([
    ['*.ts', ['a.ts']],
    ['jobs/*.ts', ['jobs/b.ts']],
    ['./jobs/*', ['jobs/b.ts', 'jobs/c.mjs']],
    ['jobs/?.{ts,mjs}', ['jobs/b.ts', 'jobs/c.mjs']],
    ['**/*.ts', ['a.ts', 'jobs/b.ts', 'jobs/deep/er/d.ts']],
    ['jobs/**/*.ts', ['jobs/b.ts', 'jobs/deep/er/d.ts']],
    ['jobs/**', ['jobs/b.ts', 'jobs/c.mjs', 'jobs/deep/er/d.ts']],
    ['none/*.ts', []],
  ])('%s finds %j', (pattern, expected) => {
    const { files } = expand(globOf(pattern, directory))
    expect(files.map((file) => file.slice(directory.length + 1))).toEqual(expected)
  })

  it.each([
    ['*.ts', 'jobs/b.ts'],
    ['*.ts', 'a+ts'],
    ['jobs/*.ts', '../jobs/b.ts'],
    ['{', 'a.ts'],
    ['jobs/{b.ts', 'jobs/b.ts'],
  ])('%s does not match %s', (pattern, file) => {
    expect(globOf(pattern, directory).matches(join(directory, file))).toBe(false)
  })

  it('names the folders in which more may come, also where its own is not there yet', () => {
    expect(expand(globOf('jobs/**/*.ts', directory)).folders).toHaveLength(3)
    expect(expand(globOf('none/at/all/*.ts', directory)).folders).toEqual([directory])
  })
})
