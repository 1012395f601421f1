import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { leaveOut } from '../../harness/left-out.ts'

const folder = process.env['PONTUAL_VECTORS'] ?? fileURLToPath(new URL('../../../../shared/vectors', import.meta.url))

/** The rows of a vector file; undefined if the folder is absent, and its tests are left out. */
export function readVectors<T>(file: string): T | undefined {
  const path = `${folder}/${file}`
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as T
  leaveOut('tests of recorded results', 'set PONTUAL_VECTORS')
  return undefined
}

/** What differs between two lists of rows, told in a line each, so that one assertion covers a table of a thousand. */
export function differences<Row extends { id: string }>(
  rows: readonly Row[],
  expected: (row: Row) => unknown,
  actual: (row: Row) => unknown,
): string[] {
  const found: string[] = []
  for (const row of rows) {
    const [want, got] = [JSON.stringify(expected(row)), attempt(() => JSON.stringify(actual(row)))]
    if (want !== got) found.push(`${row.id}: expected ${want}, got ${got}`)
  }
  return found
}

function attempt(run: () => string): string {
  try {
    return run()
  } catch (error) {
    return String(error)
  }
}
