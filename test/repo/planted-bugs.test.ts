import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readDeclarations } from '../proofs/planted/declarations.ts'
import { type Edit, plant } from '../proofs/planted/plant.ts'
import { editsOf } from '../proofs/planted/planted-bug.ts'
import { PLANTED_BUGS, sourcesWith } from '../proofs/planted/registry.ts'
import { testFile } from '../proofs/planted/test-files.ts'

describe('a planted bug', () => {
  it.each(PLANTED_BUGS.map((bug) => [bug.name, bug] as const))('applies: %s', (_name, bug) => {
    expect(sourcesWith(bug).size).toBeGreaterThan(0)
    for (const { find, replace } of editsOf(bug)) expect(replace).not.toBe(find)
    for (const test of bug.tests ?? []) expect(testFile(test.split(' › ', 1)[0] ?? '')).toBeTruthy()
    expect(bug.tests ?? bug.simulation ?? bug.torture).toBeDefined()
  })

  it('has a unique name', () => {
    expect(new Set(PLANTED_BUGS.map(({ name }) => name)).size).toBe(PLANTED_BUGS.length)
  })

  it('is required of every proof', () => {
    const count = (kind: 'tests' | 'simulation' | 'torture') => PLANTED_BUGS.filter((bug) => bug[kind]).length
    expect(count('tests')).toBeGreaterThanOrEqual(119)
    expect(count('simulation')).toBeGreaterThanOrEqual(47)
    expect(count('torture')).toBeGreaterThanOrEqual(14)
  })
})

describe('planting', () => {
  let root: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'pontual-planting-'))
  })
  afterEach(() => rmSync(root, { recursive: true }))

  function planted(files: Record<string, string>, ...edits: readonly Edit[]) {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, file)), { recursive: true })
      writeFileSync(join(root, file), text)
    }
    return Object.fromEntries(plant(root, readDeclarations(root), 'a bug', edits))
  }

  const edit = { in: 'Box.take', find: 'return take(a, b)', replace: 'return 0' }

  it.each([
    ['as it was', 'src/a.ts', 'class Box {\n  take() { return take(a, b) }\n}'],
    ['in another file', 'src/deep/b.ts', 'export class Box {\n  take() { return take(a, b) }\n}'],
    [
      'formatted differently',
      'src/a.ts',
      'class Box {\n  take() {\n    return take(\n      a, // one\n      b,\n    )\n  }\n}',
    ],
  ])('finds its place %s', (_form, file, text) => {
    expect(planted({ [file]: text }, edit)[file]?.replaceAll(/\s+/g, ' ')).toContain('take() { return 0 }')
  })

  it('looks at no other declaration', () => {
    const text = 'class Box {\n  take() { return take(a, b) }\n  put() { return take(a, b) }\n}'
    expect(planted({ 'src/a.ts': text }, edit)['src/a.ts']).toContain('put() { return take(a, b) }')
  })

  it('changes several places of a file', () => {
    const text = 'const a = 1\nconst b = 2'
    const edits = [
      { in: 'a', find: '1', replace: '10' },
      { in: 'b', find: '2', replace: '20' },
    ]
    expect(planted({ 'src/a.ts': text }, ...edits)).toEqual({ 'src/a.ts': 'const a = 10\nconst b = 20' })
  })

  it('finds an SQL function', () => {
    const one = 'create or replace function pontual.f() returns int\nlanguage sql as $$ select 1 $$;\n'
    const other = one.replaceAll('.f', '.g')
    const changed = planted(
      { 'sql/functions/f.sql': one, 'sql/functions/g.sql': other },
      { in: 'pontual.g', find: 'select 1', replace: 'select 2' },
    )
    expect(Object.keys(changed)).toEqual(['sql/functions/g.sql'])
  })

  it.each([
    [
      'an unknown declaration',
      { ...edit, in: 'Box.put' },
      ['Box.put (unknown)', 'Elsewhere: Box (src/a.ts), Box.take (src/a.ts)'],
    ],
    [
      'an unknown pattern',
      { ...edit, find: 'return take(a)' },
      ['"a bug"', 'Box.take (src/a.ts)', 'Pattern: return take(a)', 'Most similar line: take() { return take(a, b) }'],
    ],
    ['an ambiguous pattern', { ...edit, find: 'take' }, ['Occurs 2 times: src/a.ts, src/a.ts']],
  ])('states %s', (_fault, wrong, messages) => {
    const attempt = () => planted({ 'src/a.ts': 'class Box {\n  take() { return take(a, b) }\n}' }, wrong)
    for (const message of messages) expect(attempt).toThrow(message)
  })
})
