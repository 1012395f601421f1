import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Sample } from '../history/lines.ts'
import type { HistoryWriter } from '../history/writer.ts'

const EVERY_MS = 50
const PATIENCE_MS = 2_000

/** Pontual's own words are not taken for it: leases are counted, beside the limits as they stand in the same snapshot. */
const LOOK = `
  select
    (
      select coalesce(
        json_agg(
          json_build_object(
            'tenant', tenants.name,
            'running', (select count(*) from pontual.leases where pontual.tenant_of(lane) = tenants.id),
            'most', nullif(tenants.concurrency, -1)
          )
        ),
        '[]'
      )
      from pontual.tenants
    ) as tenants,
    (
      select coalesce(json_agg(json_build_object('job', jobs.name, 'running', held.running)), '[]')
      from (
        select job_id, count(*) as running
        from pontual.leases
        where job_id is not null
        group by job_id
      ) as held
      join pontual.jobs on jobs.id = held.job_id
      where held.running > (jobs.definition ->> 'concurrency')::integer
    ) as overlapping`

/** Looks at what runs, all the time, past every wire, and writes it down. A server that is not there is looked for again. */
export class Sampler {
  readonly #url: string
  readonly #history: HistoryWriter
  readonly #looking: Promise<void>
  #isOver = false

  constructor(url: string, history: HistoryWriter) {
    this.#url = url
    this.#history = history
    this.#looking = this.#look()
  }

  async end(): Promise<void> {
    this.#isOver = true
    await this.#looking
  }

  async #look(): Promise<void> {
    while (!this.#isOver) {
      const client = new pg.Client({
        connectionString: this.#url,
        connectionTimeoutMillis: PATIENCE_MS,
        query_timeout: PATIENCE_MS,
      })
      client.on('error', () => {})
      try {
        await client.connect()
        while (!this.#isOver) {
          const { rows } = await client.query<Pick<Sample, 'tenants' | 'overlapping'>>(LOOK)
          for (const row of rows) this.#history.write({ kind: 'sample', ...row })
          await sleep(EVERY_MS)
        }
      } catch {
        // The next one is better off.
        await sleep(EVERY_MS)
      } finally {
        // One that hears nothing any more would not end by itself.
        const ended = client.end().catch(() => {})
        await Promise.race([ended, sleep(EVERY_MS)])
      }
    }
  }
}
