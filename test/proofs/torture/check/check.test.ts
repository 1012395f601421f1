import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { writeWorld } from '../history/world-file.ts'
import { checkEvidence, checkHistory } from './check-history.ts'
import { cleanHistory } from './controls/clean-history.ts'
import { TAMPERINGS } from './controls/tamperings/all.ts'
import { describeReport } from './report.ts'

const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A history as the torture leaves it, in a folder. */
function keptHistory(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pontual-history-'))
  folders.push(folder)
  const history = cleanHistory()
  writeWorld(folder, history.world)
  mkdirSync(join(folder, 'database'))
  for (const line of history.lines) appendFileSync(join(folder, `${line.by}.jsonl`), `${JSON.stringify(line)}\n`)
  for (const [table, rows] of Object.entries(history.tables)) {
    writeFileSync(join(folder, 'database', `${table}.jsonl`), rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  }
  return folder
}

describe('a history in which all is well', () => {
  it('passes, and each rule has something to look at', () => {
    const { violations, notExercised } = checkEvidence(cleanHistory().evidence())
    expect({ violations, notExercised }).toEqual({ violations: [], notExercised: [] })
  })

  it('passes when it is read from a folder, also where a process was killed while it wrote', async () => {
    const folder = keptHistory()
    appendFileSync(join(folder, 'node-1.jsonl'), '{"kind":"effect","exec')
    expect(await checkHistory(folder)).toEqual(checkEvidence(cleanHistory().evidence()))
  })

  it('is refused where a table is missing: nobody could tell', async () => {
    const folder = keptHistory()
    rmSync(join(folder, 'database', 'results.jsonl'))
    await expect(checkHistory(folder)).rejects.toThrow('results.jsonl is missing')
  })
})

describe('a history that was tampered with fails by what was broken', () => {
  it.each(TAMPERINGS.map((tampering) => [tampering.invariant, tampering.name, tampering] as const))(
    '%s: %s',
    (invariant, _, { tamper }) => {
      const history = cleanHistory()
      tamper(history)
      const report = checkEvidence(history.evidence())
      expect([...new Set(report.violations.map((each) => each.invariant))], describeReport(report)).toEqual([invariant])
      expect(report.violations.every(({ evidence }) => evidence.length <= 40)).toBe(true)
    },
  )
})

it('a rule that had nothing to look at says so', () => {
  const history = cleanHistory()
  history.tables.bookings.splice(0)
  history.tables.history = history.tables.history.filter(({ kind }) => kind !== 'transaction')
  expect(checkEvidence(history.evidence()).notExercised).toEqual([
    'I13 was not exercised: there were no transactions of durable executions, each with one row and one record.',
  ])
})
