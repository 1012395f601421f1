import type pg from 'pg'
import { HOUR_MS, MINUTE_MS } from '../../../src/duration.ts'
import type { Figure } from '../record/record.ts'
import type { CrewMember } from './crew.ts'
import { MemoryWatch } from './memory-watch.ts'
import { judge, together, type Verdict } from './part.ts'
import { TableWatch } from './table-watch.ts'

/** What one that hardly reads may cost a service: a page of 64 lines of a log, as long as lines may be. */
const MOST_KIB_PER_READER = 1_024

/** Ten of its pool, one that listens and one that renews; a service has another pool for requests of tenants. */
const NODE_CONNECTIONS = 12
const SERVICE_CONNECTIONS = 22

/** What whoever sets up the load knows of it. */
interface LoadSeen {
  readonly lastedMs: number
  readonly slowReaderKib: number
  readonly streams: number
}

/** Looks at processes and at the database again and again: what they hold, and what must not happen while nothing goes wrong. */
export class SteadyWatch {
  readonly #crew: readonly CrewMember[]
  readonly #client: pg.Client
  readonly #memory = new MemoryWatch()
  readonly #tables: TableWatch
  readonly #connections = new Map<string, number>()
  readonly #startedAt = performance.now()
  readonly #ended: number[] = []
  #lost = 0

  constructor(crew: readonly CrewMember[], client: pg.Client) {
    this.#crew = crew
    this.#client = client
    this.#tables = new TableWatch(client)
  }

  async sample(): Promise<void> {
    let ended = 0
    for (const member of this.#crew) {
      const hour = (performance.now() - this.#startedAt) / HOUR_MS
      const state = await member.state()
      this.#memory.add(member.name, hour, state)
      ended += state.ended
    }
    this.#ended.push(ended)
    await this.#tables.sample()
    await this.#countConnections()
    // More often than anything is removed.
    this.#lost = Math.max(this.#lost, await this.#lostAttempts())
  }

  /** Whether so much was done that a leak could be told from what processes take while they warm up. */
  get hasEnoughSeen(): boolean {
    return this.#memory.hasEnoughSeen
  }

  /** What was held in the course of time, in words. */
  courses(): readonly string[] {
    return this.#memory.courses()
  }

  async verdict(seen: LoadSeen): Promise<Verdict> {
    const states = await Promise.all(this.#crew.map((member) => member.state()))
    const sum = (field: 'ended' | 'steals') => states.reduce((total, state) => total + state[field], 0)
    const of = { section: 'load', invariants: ['I29'] } as const
    const lost = { section: 'lost', invariants: ['I11'], atMost: 0 } as const
    const { lastedMs, slowReaderKib, streams } = seen
    const own: Figure[] = [
      { ...of, what: 'minutes of a mixed load that stays the same', value: round(lastedMs / MINUTE_MS) },
      { ...of, what: 'executions that ended meanwhile', value: sum('ended') },
      { ...of, what: 'streams of events and logs that were opened', value: streams },
      { ...lost, what: 'executions taken from a node that lives', value: sum('steals') },
      { ...lost, what: 'attempts that are LOST, although nothing went wrong', value: this.#lost },
      {
        ...of,
        what: 'heap of the service for each client that hardly reads',
        value: round(slowReaderKib),
        unit: 'KiB',
        atMost: MOST_KIB_PER_READER,
      },
      ...this.#crew.map(({ name, serves }) => ({
        ...of,
        what: `connections of ${name} at most`,
        value: this.#connections.get(name) ?? 0,
        atMost: serves ? SERVICE_CONNECTIONS : NODE_CONNECTIONS,
      })),
    ]
    return together([judge(own), this.#memory.verdict(), this.#tables.verdict(this.#pace())])
  }

  /** How much more ended in the last third of the time than in the second. */
  #pace(): number {
    const third = Math.floor(this.#ended.length / 3)
    const at = (place: number) => this.#ended[place] ?? 0
    const [begin, middle, end] = [at(third), at(2 * third), this.#ended.at(-1) ?? 0]
    return (end - middle) / Math.max(1, middle - begin)
  }

  async #countConnections(): Promise<void> {
    const { rows } = await this.#client.query<{ name: string; count: number }>(`
      select application_name as name, count(*)::int as count
      from pg_stat_activity
      where datname = current_database()
      group by application_name`)
    for (const { name, count } of rows) {
      this.#connections.set(name, Math.max(count, this.#connections.get(name) ?? 0))
    }
  }

  async #lostAttempts(): Promise<number> {
    const { rows } = await this.#client.query<{ count: number }>(
      `select count(*)::int as count from pontual.attempts where status = 'LOST'`,
    )
    return rows[0]?.count ?? 0
  }
}

function round(value: number): number {
  return Number(value.toFixed(1))
}
