import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgres } from '../../../src/postgres.ts'
import type { StoreSource } from '../../../src/store/store.ts'
import type { ServerVersion } from '../../harness/postgres/binaries.ts'
import { createDatabase, type TestDatabase } from '../../harness/postgres/database.ts'
import { forPlainRole } from '../../harness/postgres/plain-role.ts'
import { Bench } from '../conformance/bench.ts'
import { throughTenants } from '../conformance/through-tenants.ts'
import { type ObservedPlan, PlanObserver } from './observed-plan.ts'
import { fillTables } from './rows.ts'
import { type Limits, largeTables, violationsOf } from './violations.ts'

/** What the server knows of its tables when it plans, and when it plans. */
export type Condition =
  /** Tables were filled and never analysed. */
  | 'missing'
  /** Tables were filled and then analysed. */
  | 'fresh'
  /** Tables were analysed while they were empty, and then filled. */
  | 'stale'
  /** The same, and the plans were made while the tables were empty, and kept. */
  | 'cached'

const CONDITIONS: readonly Condition[] = ['missing', 'fresh', 'stale', 'cached']

/** Something that is done with a store, whose statements are observed. Where plans are cached it was done before as well. */
export type Use = (bench: Bench) => Promise<void>

/** Through whom a store is used: by the engine, or by a service for a tenant. Row security holds for both. */
const ASKERS: Readonly<Record<string, (source: StoreSource) => StoreSource>> = {
  'an engine': (source) => source,
  'a tenant': throughTenants,
}

type Asker = keyof typeof ASKERS

// A statement that is compiled takes long, and is to be reported.
const DEADLINE_MS = 120_000

/** A database whose tables were filled under a condition, and stores that use it. */
export class PlanFixture {
  readonly #database: TestDatabase
  readonly #client: pg.Client
  readonly #observer: PlanObserver
  readonly #condition: Condition
  readonly #benches = new Map<Asker, Bench>()

  private constructor(database: TestDatabase, client: pg.Client, observer: PlanObserver, condition: Condition) {
    this.#database = database
    this.#client = client
    this.#observer = observer
    this.#condition = condition
  }

  static async create(version: ServerVersion, condition: Condition, uses: Iterable<Use>): Promise<PlanFixture> {
    const database = await createDatabase(version)
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const fixture = new PlanFixture(database, client, await PlanObserver.start(database.url, client), condition)
    await fixture.#prepare([...uses])
    return fixture
  }

  /** The plans of a use, by each asker; and what is wrong with them. */
  async violations(asker: Asker, use: Use, limits?: Limits): Promise<readonly string[]> {
    return violationsOf(await this.plans(asker, use), await largeTables(this.#client), limits)
  }

  async plans(asker: Asker, use: Use): Promise<readonly ObservedPlan[]> {
    const bench = this.#benches.get(asker)
    if (!bench) throw new TypeError(`There is no asker "${asker}".`)
    this.#observer.take()
    await use(bench)
    return this.#observer.take()
  }

  async drop(): Promise<void> {
    await this.#close()
    await this.#observer.stop()
    await this.#client.end()
    await this.#database.drop()
  }

  async #prepare(uses: readonly Use[]): Promise<void> {
    await this.#open()
    await this.#client.query('select pontual.enable_audit()')
    await this.#stopAutovacuum()
    const condition = this.#condition
    if (condition === 'stale' || condition === 'cached') await this.#client.query('vacuum analyze')
    if (condition === 'cached') {
      for (const bench of this.#benches.values()) {
        for (const use of uses) await use(bench)
      }
    }
    const [bench] = this.#benches.values()
    await fillTables(this.#client, bench!)
    if (condition === 'fresh') await this.#client.query('vacuum analyze')
    if (condition === 'cached') return
    await this.#close()
    await this.#open()
  }

  async #open(): Promise<void> {
    const url = await forPlainRole(this.#database)
    let env: Bench['env'] | undefined
    for (const [asker, through] of Object.entries(ASKERS)) {
      const source = () => through(postgres(url, { maxConnections: 1, deadline: DEADLINE_MS }))
      const bench: Bench = new Bench(source, this.#benches.get(asker)?.env ?? env)
      env ??= bench.env
      await bench.open()
      this.#benches.set(asker, bench)
    }
  }

  async #close(): Promise<void> {
    for (const bench of this.#benches.values()) await bench.close()
  }

  async #stopAutovacuum(): Promise<void> {
    const { rows } = await this.#client.query<{ name: string }>(
      `select oid::regclass::text as name from pg_class where relnamespace = 'pontual'::regnamespace and relkind = 'r'`,
    )
    for (const { name } of rows) await this.#client.query(`alter table ${name} set (autovacuum_enabled = false)`)
  }
}

/** Under each condition: no statement reads a large table from end to end, is estimated to be expensive, or is compiled. */
export function describePlans(
  version: ServerVersion,
  uses: Readonly<Record<string, Use>>,
  { conditions = CONDITIONS, ...limits }: Limits & { readonly conditions?: readonly Condition[] } = {},
): void {
  describe.each(conditions)('plans with statistics that are %s', (condition) => {
    let fixture: PlanFixture
    beforeAll(async () => {
      fixture = await PlanFixture.create(version, condition, Object.values(uses))
    })
    afterAll(() => fixture?.drop())

    describe.each(Object.keys(ASKERS))('of what %s does', (asker) => {
      it.each(Object.entries(uses))('%s reads by index, at little cost', async (_name, use) => {
        expect(await fixture.violations(asker, use, limits)).toEqual([])
      })
    })
  })
}
