import pg from 'pg'
import { systemEnv } from '../../../src/clock.ts'
import { silentLogger } from '../../../src/logger.ts'
import type { Driver, Statement } from '../../../src/store/driver/driver.ts'
import { openPgDriver } from '../../../src/store/driver/pg.ts'
import { scopedDriver } from '../../../src/store/driver/tenant-scope.ts'
import { renewInProcess } from '../../../src/store/postgres/nodes/renewal.ts'
import { openStore } from '../../../src/store/postgres/open-store.ts'
import type { EngineStore } from '../../../src/store/store.ts'
import { Bench } from '../../suites/conformance/bench.ts'
import type { ManualEnv } from '../../suites/conformance/manual-env.ts'
import type { HeldCommit } from './held-commit.ts'

/** Hints go beside what they tell of, and nobody waits for them. */
const BESIDE = 'notify'

/**
 * A driver whose statements each run in a transaction of their own, as they do anyway; between what a statement did and its commit stands whatever `commit` says at that
 * moment, if anything.
 */
function gatedDriver(driver: Driver, commit: () => HeldCommit | null): Driver {
  const transaction: Driver['transaction'] = async (work, options) => {
    const held = commit()
    if (!held) return await driver.transaction(work, options)
    return await driver.transaction(async (database) => {
      const result = await work(database)
      await held.pass()
      return result
    }, options)
  }
  const query = async <Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]> => {
    if (!commit() || statement.name === BESIDE) return await driver.query<Row>(statement, values)
    return await transaction((database) => database.query<Row>(statement, values))
  }
  return { ...scopedDriver(driver, { query, transaction }), close: () => driver.close() }
}

/** One process of several on the same database, with connections of its own. */
export interface Actor {
  readonly store: EngineStore
  /** What stands before the commits of what it sends from now on. */
  held: HeldCommit | null
  /** Whether one of its statements waits for a lock. */
  isBlocked(): Promise<boolean>
}

const LOOK_EVERY_MS = 1

/** Several processes on one database, and a time that all of them share. */
export class Stage {
  readonly #url: string
  readonly #clock: { env: ManualEnv }
  readonly #actors: Actor[] = []
  #watcher: pg.Client | undefined
  #begun = 0

  constructor(url: string, env: ManualEnv) {
    this.#url = url
    this.#clock = { env }
  }

  async open(actors: number): Promise<void> {
    this.#watcher = new pg.Client({ connectionString: this.#url })
    await this.#watcher.connect()
    for (let index = 0; index < actors; index += 1) await this.#add(`actor-${index}`)
  }

  async close(): Promise<void> {
    await Promise.all(this.#actors.map(({ store }) => store.close()))
    await this.#watcher?.end()
  }

  actor(index: number): Actor {
    const actor = this.#actors[index]
    if (!actor) throw new Error(`There are ${this.#actors.length} actors, and none has the number ${index}.`)
    return actor
  }

  /** Ids grow with time, as in life: what begins later has later ones. */
  nextNumber(): number {
    this.#begun += 1
    return this.#begun
  }

  /** The database, empty, at the time and with the chance of `env`. */
  async begin(env: ManualEnv): Promise<Bench> {
    this.#clock.env = env
    const { store } = this.actor(0)
    const bench = new Bench(() => ({ kind: 'postgres', open: () => Promise.resolve(store) }), env)
    await bench.open()
    await bench.empty()
    return bench
  }

  /** Waits until work is done, or waits for a lock. Returns whether it is done. */
  async settles(work: Promise<unknown>, actor: Actor): Promise<boolean> {
    let isDone = false
    const watch = async () => {
      await Promise.allSettled([work])
      isDone = true
    }
    void watch()
    for (;;) {
      await new Promise<void>((resolve) => systemEnv.after(LOOK_EVERY_MS, resolve))
      if (isDone) return true
      if (await actor.isBlocked()) return isDone
    }
  }

  async #add(name: string): Promise<void> {
    const connection = { connectionString: this.#url, application_name: name }
    const options = { maxConnections: 2, deadlineMs: 20_000, prepare: 'auto' } as const
    const driver = await openPgDriver(connection, options, { env: systemEnv, logger: silentLogger })
    const actor = { held: null as HeldCommit | null, isBlocked: () => this.#waitsForLock(name) }
    const gated = gatedDriver(driver, () => actor.held)
    const surroundings = { env: systemEnv, logger: silentLogger, now: () => this.#clock.env.now() }
    const keepAlive = renewInProcess(gated, systemEnv)
    const store = await openStore({ driver: gated, surroundings, keepAlive, migrates: false })
    this.#actors.push(Object.assign(actor, { store }))
  }

  async #waitsForLock(name: string): Promise<boolean> {
    // Not by its wait event: that stays until its process runs again, which on a busy machine is long after the lock was granted.
    const text = `select from pg_stat_activity where application_name = $1 and pg_blocking_pids(pid) <> '{}'`
    const found = await this.#watcher?.query(text, [name])
    return (found?.rowCount ?? 0) > 0
  }
}
