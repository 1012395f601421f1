import { mkdirSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { PontualError } from '../../errors.ts'
import { takeLock } from './lock-file.ts'

const INT8 = 20
const NUMERIC = 1_700

/**
 * One PGlite, shared by all who open it in this process. In a directory it is closed when the last of them closes it; in memory it stays, with
 * what it holds, until it is disposed of.
 */
export class PgliteDatabase {
  readonly #directory: string | null
  #users = 0
  #opened: Promise<{ readonly db: PGlite; readonly unlock: () => void }> | null = null
  #closing: Promise<void> = Promise.resolve()

  constructor(directory: string | null) {
    this.#directory = directory
  }

  async acquire(): Promise<PGlite> {
    this.#users++
    try {
      await this.#closing
      this.#opened ??= this.#open()
      return (await this.#opened).db
    } catch (error) {
      this.#users--
      this.#opened = null
      throw error
    }
  }

  async release(): Promise<void> {
    this.#users--
    if (this.#users === 0 && this.#directory !== null) await this.dispose()
  }

  /** Closes it whoever still uses it; what was kept in memory is gone. */
  async dispose(): Promise<void> {
    const opened = this.#opened
    this.#opened = null
    if (opened) this.#closing = this.#closing.then(() => close(opened))
    await this.#closing
  }

  async #open(): Promise<{ db: PGlite; unlock: () => void }> {
    const { PGlite } = await loadPglite()
    const parsers = { [INT8]: Number, [NUMERIC]: Number }
    const directory = this.#directory
    if (directory === null) return { db: await PGlite.create({ parsers }), unlock: () => {} }
    const unlock = takeLock(`${directory}.lock`, `The PGlite directory "${directory}"`)
    try {
      return { db: await PGlite.create({ dataDir: directory, parsers }), unlock }
    } catch (cause) {
      unlock()
      const message = `PGlite cannot open "${directory}": ${cause instanceof Error ? cause.message : String(cause)}`
      throw new PontualError('store.directory_invalid', message, { directory }, { cause })
    }
  }
}

async function close(opened: Promise<{ db: PGlite; unlock: () => void }>): Promise<void> {
  const { db, unlock } = await opened
  try {
    await db.close()
  } finally {
    unlock()
  }
}

const byDirectory = new Map<string, PgliteDatabase>()

/** The database of a directory, one per process: two that write the same files destroy them. Without a directory each is another. */
export function pgliteDatabase(directory: string | null): PgliteDatabase {
  if (directory === null) return new PgliteDatabase(null)
  mkdirSync(resolve(directory), { recursive: true })
  const path = realpathSync(resolve(directory))
  const database = byDirectory.get(path) ?? new PgliteDatabase(path)
  byDirectory.set(path, database)
  return database
}

/** Reads its code ahead of time, so that to open a directory takes less of it. */
export async function preloadPglite(): Promise<void> {
  await loadPglite()
}

/** PGlite is an optional dependency, and a large one. */
async function loadPglite(): Promise<typeof import('@electric-sql/pglite')> {
  try {
    return await import('@electric-sql/pglite')
  } catch (cause) {
    const message =
      'PGlite needs the package "@electric-sql/pglite", which could not be loaded. Install it: npm install @electric-sql/pglite'
    throw new PontualError('store.driver_missing', message, { package: '@electric-sql/pglite' }, { cause })
  }
}
