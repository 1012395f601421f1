import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { dirname } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/** Where the figures of a proof stand: `load` held, `faults` survived, bad `inputs` tried, and what was counted of what must not be `lost`. */
export type Section = 'load' | 'faults' | 'inputs' | 'lost'

/** One thing that was counted or measured. */
export interface Figure {
  readonly section: Section
  /** As docs/proof/invariants.md numbers them; empty where it belongs to none. */
  readonly invariants: readonly string[]
  /** What was counted, as a row of a table reads: "crashes of the server". */
  readonly what: string
  readonly value: number
  /** Such as `ms`; absent where things are counted. */
  readonly unit?: string | undefined
  /** What was asked for; absent where nobody asked for a figure. */
  readonly atLeast?: number | undefined
  readonly atMost?: number | undefined
}

/** What a proof has shown when it was run last: kept in docs/proof/records, from which `npm run figures` makes a page. */
export interface ProofRecord {
  /** Its file's name. */
  readonly name: string
  /** What a reader types to see the same. */
  readonly command: string
  readonly seconds: number
  /** How many counter-examples there were. */
  readonly violations: number
  readonly figures: readonly Figure[]
  /** What was to be shown and was not, a sentence each. */
  readonly gaps: readonly string[]
}

/** A record with the day and the machine, as it is kept. */
export interface KeptRecord extends ProofRecord {
  readonly date: string
  readonly machine: string
}

const FOLDER = new URL('../../docs/proof/records/', import.meta.url)

/** Keeps a record where one is asked for (`--record`, or PONTUAL_RECORD=1 for what vitest runs); otherwise nothing is written. */
export function keepRecord(record: ProofRecord): void {
  if (!isRecordAsked()) return
  const kept: KeptRecord = { ...record, date: new Date().toISOString().slice(0, 10), machine: describeMachine() }
  const path = fileURLToPath(new URL(`${record.name}.json`, FOLDER))
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(kept, null, 2)}\n`)
}

export function isRecordAsked(): boolean {
  return process.argv.includes('--record') || process.env['PONTUAL_RECORD'] === '1'
}

/** All that is kept, by name. */
export function readRecords(): KeptRecord[] {
  if (!existsSync(FOLDER)) return []
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.json'))
  return names.sort().map((name) => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as KeptRecord)
}

/** What the figures depend on, without the name of a host. */
function describeMachine(): string {
  const gibibytes = Math.round(totalmem() / 2 ** 30)
  return `${cpus().length} cores, ${gibibytes} GiB, Node ${process.versions.node}`
}
