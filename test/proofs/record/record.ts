import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import process from 'node:process'
import { withRecord } from './figures-page.ts'

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

/** The result of a run of a proof: its section of docs/proof/figures.md. */
export interface ProofRecord {
  /** The title of its section. */
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

/** A record with the day and the machine. */
export interface DatedRecord extends ProofRecord {
  readonly date: string
  readonly machine: string
}

const PAGE = new URL('../../../docs/proof/figures.md', import.meta.url)

/** Writes a record into the page of figures, if records are asked for (`--record`, or PONTUAL_RECORD=1 for what vitest runs). */
export function keepRecord(record: ProofRecord): void {
  if (!isRecordAsked()) return
  const dated = { ...record, date: new Date().toISOString().slice(0, 10), machine: describeMachine() }
  writeFileSync(PAGE, withRecord(existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '', dated))
}

export function isRecordAsked(): boolean {
  return process.argv.includes('--record') || process.env['PONTUAL_RECORD'] === '1'
}

/** What the figures depend on, without the name of a host. */
function describeMachine(): string {
  const gibibytes = Math.round(totalmem() / 2 ** 30)
  return `${cpus().length} cores, ${gibibytes} GiB, Node ${process.versions.node}`
}
