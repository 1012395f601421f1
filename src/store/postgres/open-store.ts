import { type Env, systemEnv } from '../../clock.ts'
import type { Driver } from '../driver/driver.ts'
import type { EngineStore, StoreSurroundings } from '../store.ts'
import { createHints } from './nodes/hints.ts'
import type { KeepAlive } from './nodes/nodes.ts'
import { migrate, requireMigrated } from './schema/migrate.ts'
import { settleRowSecurity } from './schema/row-security.ts'
import { createPostgresStore } from './store.ts'

export interface StoreParts {
  readonly driver: Driver
  readonly surroundings: StoreSurroundings
  readonly keepAlive: KeepAlive
  /** Whether tables may be created and updated. */
  readonly migrates: boolean
}

/** A store over a driver that is connected: its tables are there, and room for the months to come. */
export async function openStore({ driver, surroundings, keepAlive, migrates }: StoreParts): Promise<EngineStore> {
  try {
    if (migrates) await migrateAndTell(driver, surroundings)
    else await requireMigrated(driver)
    const isolationRemedy = await settleRowSecurity(driver, migrates)
    const hints = createHints(driver, { env: timeOfServer(surroundings), logger: surroundings.logger })
    const store = createPostgresStore({ driver, surroundings, hints, keepAlive, isolationRemedy })
    await makeRoom(store, surroundings)
    return store
  } catch (error) {
    await driver.close()
    throw error
  }
}

/** What cannot be had now is tried for again and again, and the default partition takes what comes meanwhile: no reason not to begin. */
async function makeRoom(store: EngineStore, { logger }: StoreSurroundings): Promise<void> {
  try {
    await store.maintain()
  } catch (error) {
    logger.warn('There is no room yet for the months to come, it is tried again later', { error })
  }
}

/** The time in which a server answers. Where a test moves time by hand, a day that passes at once would be a day without an answer. */
export function timeOfServer({ env, now }: StoreSurroundings): Env {
  return now ? systemEnv : env
}

async function migrateAndTell(driver: Driver, { logger }: StoreSurroundings): Promise<void> {
  const { version, applied, functions } = await migrate(driver)
  if (applied.length + functions > 0) logger.info('The database was migrated', { version, applied, functions })
}
