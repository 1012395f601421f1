import type { Env } from '../../clock.ts'
import { SeededRandom } from '../../durable/seeded-random.ts'
import type { DemoTexts } from './texts.ts'

/** What the demo's company keeps of its own; gone with the process. */
export class Company {
  /** By number: to import one twice changes nothing. */
  readonly invoices = new Map<string, Invoice>()
  readonly users = new Map<string, DirectoryUser>()
  /** What was looked up once, and until when it counts. */
  readonly cache = new Map<string, { readonly bytes: number; readonly expiresAt: number }>()
  /** Numbers of invoices by order. */
  readonly issued = new Map<string, string>()
  readonly records = new Map<number, OldRecord>(oldRecords().map((record) => [record.id, record]))
}

/** An invoice as a supplier's system gives it out. */
export interface Invoice {
  readonly number: string
  readonly supplier: string
  readonly lines: readonly { readonly item: string; readonly cents: number }[]
  /** What the supplier says it comes to; now and then that is wrong. */
  readonly totalCents: number
}

export interface DirectoryUser {
  readonly login: string
  readonly name: string
  readonly department: string
}

export interface OldRecord {
  readonly table: string
  readonly id: number
  readonly ageDays: number
}

const TABLES = ['tickets_closed', 'audit_views', 'import_staging', 'sessions'] as const

/** The invoices of a month: the same with every call. */
export function invoicesOf(month: string, { company: { suppliers, invoiceItems } }: DemoTexts): readonly Invoice[] {
  const random = new SeededRandom(`invoices ${month}`)
  return range(12 + upTo(random, 12)).map((index) => {
    const lines = range(1 + upTo(random, 4)).map(() => ({
      item: pick(random, invoiceItems),
      cents: 1_000 + upTo(random, 90_000),
    }))
    const sum = lines.reduce((total, { cents }) => total + cents, 0)
    const isWrong = upTo(random, 10) === 0
    return {
      number: `${month.replace('-', '')}-${String(index + 1).padStart(4, '0')}`,
      supplier: pick(random, suppliers),
      lines,
      totalCents: isWrong ? sum + 100 : sum,
    }
  })
}

/** A page of the company's directory on a day: people come and go. */
export function directoryPage(
  day: number,
  page: number,
  { company: { firstNames, lastNames, departments } }: DemoTexts,
): readonly DirectoryUser[] {
  const random = new SeededRandom(`directory ${page}`)
  const today = new SeededRandom(`directory ${page} ${day}`)
  return range(20)
    .map((index) => {
      const [first, last] = [pick(random, firstNames), pick(random, lastNames)]
      return {
        login: `${first}.${last}.${page}${index}`.toLowerCase(),
        name: `${first} ${last}`,
        department: pick(random, departments),
      }
    })
    .filter(() => upTo(today, 12) !== 0)
}

/** What has piled up over the years. */
function oldRecords(): readonly OldRecord[] {
  const random = new SeededRandom('records')
  return range(400).map((index) => ({ table: pick(random, TABLES), id: 10_000 + index, ageDays: upTo(random, 3_650) }))
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index)
}

/** A whole number from 0 up to, but not including, a bound. */
function upTo(random: SeededRandom, bound: number): number {
  return Math.floor(random.next() * bound)
}

function pick(random: SeededRandom, items: readonly string[]): string {
  return items[upTo(random, items.length)] ?? ''
}

/** How the demo takes its time: a step that stands for a call of another system lasts as long as one might. */
export interface Pace {
  readonly env: Env
  /** How long one step takes; 0 in tests. */
  readonly stepMs: number
}

/** Takes the time of one step. Rejects at once where the run is to end. */
export async function takeStep({ env, stepMs }: Pace, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  if (stepMs === 0) return
  await new Promise<void>((resolve) => {
    const wake = () => {
      cancel()
      signal.removeEventListener('abort', wake)
      resolve()
    }
    const cancel = env.after(stepMs, wake)
    signal.addEventListener('abort', wake, { once: true })
  })
  signal.throwIfAborted()
}
