import { describe, expect, it } from 'vitest'
import { InvalidInputError } from '../../../src/errors.ts'
import { type CronTrigger, cron } from '../../../src/time/triggers/cron.ts'
import { differences, readVectors } from './vectors.ts'

interface CronRow {
  id: string
  expr: string
  fields: 5 | 6
  zone: string
  from: number
  inclusive: boolean
  expected: number | null
  then?: (number | null)[]
  domDow?: boolean
}

interface ValidityRow {
  id: string
  expr: string
  fields: 5 | 6
  valid: boolean
}

const vectors = readVectors<{ vectors: CronRow[]; validity: ValidityRow[] }>('cron.json')
const rows = vectors?.vectors ?? []

/** Cronos takes AND where both day fields are restricted. */
function triggerOf(row: CronRow): CronTrigger {
  return cron(row.expr, { timeZone: row.zone, fields: row.fields, dayRule: row.domDow ? 'and' : undefined })
}

/** The occurrences a row tells of, up to the one that never comes. */
function told(row: CronRow): number[] {
  return [row.expected, ...(row.then ?? [])].filter((at) => at !== null)
}

function follow(row: CronRow): (number | null)[] {
  const trigger = triggerOf(row)
  const found = [row.inclusive ? trigger.nextInclusive(row.from) : trigger.next(row.from)]
  for (const _ of row.then ?? []) {
    const latest = found.at(-1) ?? null
    found.push(latest === null ? null : trigger.next(latest))
  }
  return found
}

describe('as Cronos', () => {
  it.skipIf(!vectors)('expressions fire at the same instants', () => {
    expect(differences(rows, (row) => [row.expected, ...(row.then ?? [])], follow)).toEqual([])
  })

  it.skipIf(!vectors)('expressions are valid or refused alike', () => {
    const found = differences(
      vectors?.validity ?? [],
      (row) => row.valid,
      (row) => isAccepted(row),
    )
    expect(found).toEqual([])
  })
})

describe('from every occurrence of the vectors', () => {
  it.skipIf(!vectors)('the one before it is the previous one', () => {
    const found = differences(rows, told, (row) => told(row).map((at) => triggerOf(row).previous(at + 1)))
    expect(found).toEqual([])
  })

  it.skipIf(!vectors)('going back and forth again leads to it', () => {
    const found = differences(rows, told, (row) =>
      told(row).map((at) => {
        const earlier = triggerOf(row).previous(at)
        return triggerOf(row).next(earlier ?? at - 1)
      }),
    )
    expect(found).toEqual([])
  })

  it.skipIf(!vectors)('nothing lies between two that follow each other', () => {
    const found = differences(
      rows,
      (row) => told(row).slice(0, -1),
      (row) =>
        told(row)
          .slice(1)
          .map((at) => triggerOf(row).previous(at)),
    )
    expect(found).toEqual([])
  })

  it.skipIf(!vectors)('enumerating and counting to the last of the row find the same', () => {
    const found = differences(
      rows,
      (row) => [told(row), told(row).length],
      (row) => {
        const [first, last] = [told(row).at(0), told(row).at(-1)]
        if (first === undefined || last === undefined) return [[], 0]
        return [[...triggerOf(row).between(first, last + 1)], triggerOf(row).count(first, last + 1)]
      },
    )
    expect(found).toEqual([])
  })

  it.skipIf(!vectors)('an expression that never fires has no previous, lists nothing and counts 0', () => {
    const never = rows.filter((row) => row.expected === null)
    const found = differences(
      never,
      () => [null, [], 0],
      (row) => {
        const [trigger, to] = [triggerOf(row), row.from + 10 * 366 * 86_400_000]
        return [trigger.previous(row.from), [...trigger.between(row.from, to)], trigger.count(row.from, to)]
      },
    )
    expect(found).toEqual([])
  })
})

function isAccepted(row: ValidityRow): boolean {
  try {
    cron(row.expr, { fields: row.fields })
    return true
  } catch (error) {
    if (error instanceof InvalidInputError) return false
    throw error
  }
}
