import { requireOptions, requireText } from '../../time/require.ts'
import { openPgliteDriver } from '../driver/pglite.ts'
import { PgliteDatabase, pgliteDatabase } from '../driver/pglite-database.ts'
import { readSchemaName } from '../driver/schema-name.ts'
import type { StoreSource } from '../store.ts'
import { renewInProcess } from './nodes/renewal.ts'
import { openStore } from './open-store.ts'

/** What `pglite(…)` gives. */
export interface PgliteSource extends StoreSource {
  /** Closes the database, whoever still uses it; what was kept in memory is gone. */
  dispose(): Promise<void>
}

/** How a PGlite database is used. */
export interface PgliteOptions {
  /** The schema that contains the tables and functions, as for `postgres()`. Default: `pontual`. */
  readonly schema?: string | undefined
}

/**
 * Keeps everything in PGlite, a PostgreSQL that runs within this process: nothing to install, one process at a time.
 *
 * With a directory, what is stored survives the process and its crash; it may not survive the machine losing power. The directory has a lock
 * file beside it, since a second process would destroy what the first has written. All who open it in this process share one database, which
 * is closed when the last of them closes it.
 *
 * Without a directory everything is in memory and belongs to the source: open it again, and what was stored is there. It is gone with the
 * source, or when that is disposed of.
 */
export function pglite(directory?: string, options: PgliteOptions = {}): PgliteSource {
  requireOptions(options, 'pglite()', ['schema'])
  const schema = readSchemaName(options.schema)
  const inMemory = directory === undefined ? new PgliteDatabase(null) : null
  if (directory !== undefined) requireText(directory, 'directory')
  const database = () => inMemory ?? pgliteDatabase(directory ?? null)
  return {
    kind: 'pglite',
    open: async (surroundings) => {
      const driver = await openPgliteDriver(database(), surroundings.logger, schema)
      const keepAlive = renewInProcess(driver, surroundings.env)
      return await openStore({ driver, surroundings, keepAlive, migrates: true })
    },
    dispose: () => database().dispose(),
  }
}
