import { SeededRandom } from '../../durable/seeded-random.ts'

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

const SUPPLIERS = ['Vivo', 'Claro', 'TIM', 'Embratel', 'Algar'] as const
const ITEMS = ['Link MPLS', 'Plano móvel', 'Franquia de dados', 'Roaming', 'PABX na nuvem'] as const
const FIRST_NAMES = [
  'Ana',
  'Bruno',
  'Carla',
  'Diego',
  'Elisa',
  'Fábio',
  'Gabriela',
  'Heitor',
  'Isabel',
  'João',
] as const
const LAST_NAMES = ['Almeida', 'Barbosa', 'Cardoso', 'Dias', 'Esteves', 'Ferreira', 'Gomes'] as const
const DEPARTMENTS = ['Financeiro', 'TI', 'Compras', 'RH'] as const
const TABLES = ['tickets_closed', 'audit_views', 'import_staging', 'sessions'] as const

/** What suppliers bill for a month: the same whenever it is asked for. */
export function invoicesOf(month: string): readonly Invoice[] {
  const random = new SeededRandom(`invoices ${month}`)
  return range(12 + upTo(random, 12)).map((index) => {
    const lines = range(1 + upTo(random, 4)).map(() => ({
      item: pick(random, ITEMS),
      cents: 1_000 + upTo(random, 90_000),
    }))
    const sum = lines.reduce((total, { cents }) => total + cents, 0)
    const isWrong = upTo(random, 10) === 0
    return {
      number: `${month.replace('-', '')}-${String(index + 1).padStart(4, '0')}`,
      supplier: pick(random, SUPPLIERS),
      lines,
      totalCents: isWrong ? sum + 100 : sum,
    }
  })
}

/** A page of the company's directory on a day: people come and go. */
export function directoryPage(day: number, page: number): readonly DirectoryUser[] {
  const random = new SeededRandom(`directory ${page}`)
  const today = new SeededRandom(`directory ${page} ${day}`)
  return range(20)
    .map((index) => {
      const [first, last] = [pick(random, FIRST_NAMES), pick(random, LAST_NAMES)]
      return {
        login: `${first}.${last}.${page}${index}`.toLowerCase(),
        name: `${first} ${last}`,
        department: pick(random, DEPARTMENTS),
      }
    })
    .filter(() => upTo(today, 12) !== 0)
}

/** What has piled up over the years. */
export function oldRecords(): readonly OldRecord[] {
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

function pick<Item>(random: SeededRandom, items: readonly [Item, ...Item[]]): Item {
  return items[upTo(random, items.length)] ?? items[0]
}
