import { systemEnv } from '../../../src/clock.ts'
import { silentLogger } from '../../../src/logger.ts'
import { openPgDriver } from '../../../src/store/driver/pg.ts'
import { readSchemaName } from '../../../src/store/driver/schema-name.ts'
import { migrate } from '../../../src/store/postgres/schema/migrate.ts'
import { separateRoles } from '../../../src/store/postgres/schema/roles.ts'
import type { TestDatabase } from './database.ts'

const ROLES = { owner: 'pontual_plain_owner', login: 'pontual_plain' }

/** The URL of a database for the login role of nodes: no superuser, and owner of nothing, as `pontual migrate --login` leaves it. */
export async function forPlainRole({ url }: TestDatabase, schema?: string): Promise<string> {
  const options = { maxConnections: 1, deadlineMs: 30_000, prepare: false, schema: readSchemaName(schema) } as const
  const driver = await openPgDriver(url, options, { env: systemEnv, logger: silentLogger })
  try {
    if (schema !== undefined) await migrate(driver)
    const { refusal } = await separateRoles(driver, ROLES)
    if (refusal !== null) throw new Error(refusal)
  } finally {
    await driver.close()
  }
  const changed = new URL(url)
  changed.username = ROLES.login
  return changed.href
}
