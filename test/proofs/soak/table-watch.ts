import type pg from 'pg'
import type { Figure } from '../record/record.ts'
import type { Verdict } from './part.ts'
import { median, slopeOf } from './slope.ts'
import { MOST_QUEUED } from './steady-load.ts'

interface TableSample {
  readonly name: string
  readonly bytes: number
  readonly rows: number
}

/**
 * What is kept for longer than a run lasts, by rule: it grows for as long as that, and what ends it is shown where time is moved on by hand (`years`).
 * Whatever is not named here has to stop growing by itself.
 */
const KEPT_BY_RULE: readonly { readonly name: RegExp; readonly rule: string }[] = [
  { name: /^audit_entries/, rule: '90 days, and five years in the archive' },
  { name: /^requests$/, rule: 'a day' },
  { name: /^notification_/, rule: '90 days' },
  { name: /^(scheduler_minutes|active_periods)$/, rule: '100 days' },
  { name: /^missed$/, rule: 'five years' },
]

/** What the server keeps for itself is one row of the table. */
const CATALOG = 'pg_catalog'

const KIB = 1_024
const MIB = 2 ** 20

/** A page or two that is filled for the first time is no growth. */
const SMALL_BYTES = 256 * KIB
const SMALL_ROWS = 200

/** What stands in these is under way: as much as the load lets wait at once, and no measure of anything kept. */
const UNDER_WAY: ReadonlySet<string> = new Set(['ready', 'delayed', 'leases'])

/** What grows by less than this part of itself in two thirds of the time may as well be uneven. */
const UNEVEN = 0.15

/** Sizes of every table and partition, and of what the server keeps for itself, as time goes by. */
export class TableWatch {
  readonly #client: pg.Client
  readonly #samples: ReadonlyMap<string, TableSample>[] = []
  #partitions: number[] = []

  constructor(client: pg.Client) {
    this.#client = client
  }

  async sample(): Promise<void> {
    const { rows } = await this.#client.query<{ name: string; bytes: number; isPartition: boolean }>(`
      select relname as name, pg_total_relation_size(oid)::float8 as bytes, relispartition as "isPartition"
      from pg_class
      where relnamespace = 'pontual'::regnamespace
        and relkind = 'r'
      union all
      select '${CATALOG}', sum(pg_total_relation_size(oid))::float8, false
      from pg_class
      where relnamespace = '${CATALOG}'::regnamespace
        and relkind = 'r'`)
    const counts = await this.#count(rows.map(({ name }) => name).filter((name) => name !== CATALOG))
    const samples = rows.map(({ name, bytes }) => ({ name, bytes, rows: counts.get(name) ?? 0 }))
    this.#samples.push(new Map(samples.map((sample) => [sample.name, sample])))
    this.#partitions.push(rows.filter(({ isPartition }) => isPartition).length)
  }

  /** `pace`: how much more was done in the last third of the time than in the second, as a factor; what is kept for a minute is more where more was done in it. */
  verdict(pace: number): Verdict {
    const third = Math.floor(this.#samples.length / 3)
    const [middle, last] = [this.#samples.slice(third, 2 * third), this.#samples.slice(2 * third)]
    const names = [...(this.#samples.at(-1)?.keys() ?? [])]
    const grown = names.flatMap((name) => growthOf(name, this.#samples.slice(third), pace))
    const ruled = (name: string) => KEPT_BY_RULE.find((each) => each.name.test(name))
    const faults = grown.filter(({ name }) => !ruled(name)).map(({ text }) => text)
    const [before = 0, after = 0] = [this.#partitions[0], this.#partitions.at(-1)]
    if (after > before) faults.push(`There are ${after} partitions, where there were ${before}.`)
    const settled = names.filter((name) => !ruled(name))
    const of = { section: 'load', invariants: ['I29'] } as const
    const figures: Figure[] = [
      { ...of, what: 'tables and partitions whose size was watched', value: names.length },
      { ...of, what: 'tables that went on growing', value: faults.length, atMost: 0 },
      { ...of, what: 'size of those that level off, at the end', value: sizeOf(settled, last), unit: 'MiB' },
      { ...of, what: 'the same in the second third', value: sizeOf(settled, middle), unit: 'MiB' },
      { ...of, what: 'partitions', value: after, atMost: before },
    ]
    const gaps = grown
      .filter(({ name }) => ruled(name))
      .map(({ name, text }) => `${text} That is kept for ${ruled(name)?.rule}, longer than this ran.`)
    return { figures, faults, gaps }
  }

  /** In one statement, so that all are of the same moment. */
  async #count(names: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const counts = names.map((name) => `select '${name}' as name, count(*)::int as count from pontual."${name}"`)
    const { rows } = await this.#client.query<{ name: string; count: number }>(counts.join(' union all '))
    return new Map(rows.map(({ name, count }) => [name, count]))
  }
}

type Samples = readonly ReadonlyMap<string, TableSample>[]

/** Grows, and by more than it would because more was done in the end. */
function growthOf(name: string, samples: Samples, pace: number): { readonly name: string; readonly text: string }[] {
  const grows = (field: 'bytes' | 'rows', small: number) => {
    const values = samples.map((each) => each.get(name)?.[field] ?? 0)
    // As if there were an hour between the first and the last, so that a slope is what was added between them.
    const readings = values.map((value, index) => ({ hour: index / Math.max(1, values.length - 1), value }))
    const { low } = slopeOf(readings)
    return low > small && low > (UNEVEN + Math.max(0, pace - 1)) * median(values)
  }
  const smallRows = UNDER_WAY.has(name) ? 2 * MOST_QUEUED : SMALL_ROWS
  if (!grows('bytes', SMALL_BYTES) && !grows('rows', smallRows)) return []
  const text = (sample: ReadonlyMap<string, TableSample> | undefined) =>
    `${Math.round((sample?.get(name)?.bytes ?? 0) / KIB)} KiB and ${sample?.get(name)?.rows ?? 0} rows`
  return [{ name, text: `${name} grows: from ${text(samples[0])} to ${text(samples.at(-1))}.` }]
}

function sizeOf(names: readonly string[], samples: Samples): number {
  const bytes = samples.map((each) => names.reduce((sum, name) => sum + (each.get(name)?.bytes ?? 0), 0))
  return Number((median(bytes) / MIB).toFixed(1))
}
