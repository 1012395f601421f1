import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { missingTests, namedTests } from './named-tests.ts'

/** Pages whose tables name tests, and the fewest that each of them names. */
const NAMING: readonly (readonly [page: string, fewest: number])[] = [
  ['proof/acceptance', 150],
  ['proof/durable-requirements', 70],
  ['proof/rf-112', 200],
  ['proof/security', 50],
  ['explanation/guarantees', 20],
]

const root = fileURLToPath(new URL('../..', import.meta.url))

describe('tests that pages name', () => {
  it.each(NAMING)('%s names tests that exist', async (page, fewest) => {
    const named = namedTests(await readFile(join(root, 'docs', `${page}.md`), 'utf8'))
    expect(named.length).toBeGreaterThanOrEqual(fewest)
    expect(await missingTests(named)).toEqual([])
  })

  it('every row of rf-112 that asks for one names a test, or says that it is to come', async () => {
    const tables = (await readFile(join(root, 'docs/proof/rf-112.md'), 'utf8'))
      .split('\n\n')
      .filter((part) => part.startsWith('| '))
    const asking = tables.filter((table) => table.split('\n', 1)[0]?.includes('shown by'))
    const rows = asking.flatMap((table) => table.trim().split('\n').slice(2))
    expect(rows.length).toBeGreaterThan(100)
    expect(rows.filter((row) => !/ › |\*\*to come\*\*|the same/.test(row))).toEqual([])
  })

  it('that do not exist are noticed', async () => {
    const rows = [
      '| a rule | `rf-112` › what is refused leaves none; › what nobody has written |',
      '| another | `rf-112` › another tenant gets 403 for …; › JOBS_JOB_CREATE tells something |',
    ]
    expect(await missingTests(namedTests(rows.join('\n')))).toEqual(['rf-112 › what nobody has written'])
    await expect(missingTests(namedTests('| a rule | `no-such-file` › a test |'))).rejects.toThrow('no-such-file')
  })
})
