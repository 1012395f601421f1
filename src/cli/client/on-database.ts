import { userInfo } from 'node:os'
import { systemEnv } from '../../clock.ts'
import { requireName } from '../../job/name.ts'
import { pontual } from '../../pontual.ts'
import { createApi } from '../../server/create-api.ts'
import { encrypted } from '../../store/encryption/encrypted.ts'
import { postgres } from '../../store/postgres/postgres.ts'
import type { EngineStore, StoreSource } from '../../store/store.ts'
import type { Environment } from '../start-settings.ts'
import type { Connection } from './connection.ts'
import { connectionOver } from './connection-over.ts'

export interface DatabaseOptions {
  readonly url: string
  readonly schema?: string | undefined
  /** For messages. */
  readonly place: string
  readonly tenant?: string | undefined
  readonly environment: Environment
}

/** Nobody listens there: requests never leave this process. */
const ORIGIN = 'http://pontual.invalid'
/** As many as a question asks at once. */
const CONNECTIONS = 3

/**
 * A service within this process, straight on its database: it answers and does nothing by itself. Who may open the database may do anything with it, so that he is
 * Admin, under the name that he has on this machine.
 */
export async function onDatabase(options: DatabaseOptions): Promise<Connection> {
  const { place, tenant = 'default', environment } = options
  requireName(tenant, '--tenant')
  const app = pontual({ store: asGuest(sourceOf(options, environment)), logger: 'silent' })
  const principal = { tenant, userId: `cli:${userInfo().username}`, profile: 'Admin' } as const
  const api = await createApi(app, {
    identity: { authenticate: () => principal },
    service: { duties: false, isolation: 'preferred' },
    dashboard: false,
  }).catch(async (error: unknown) => {
    await app.stop()
    throw error
  })
  return connectionOver({
    place,
    isDirect: true,
    env: systemEnv,
    send: async (path, request) => await api.fetch(new Request(`${ORIGIN}/api/jobs${path}`, request)),
    close: async () => {
      api.close()
      await app.stop()
    },
  })
}

function sourceOf({ url, schema }: DatabaseOptions, environment: Environment): StoreSource {
  const source = postgres(url, { migrate: false, maxConnections: CONNECTIONS, schema })
  const [keys, plaintext] = [environment['PONTUAL_ENCRYPTION_KEYS'], environment['PONTUAL_ENCRYPTION_PLAINTEXT']]
  if (!keys) return source
  return encrypted(source, { keys, plaintext: plaintext === 'accepted' ? 'accepted' : 'refused' })
}

/** A store whose settings stay as the nodes on it have left them: to look at jobs turns no audit log on, and sets nobody's limits. */
function asGuest(source: StoreSource): StoreSource {
  return {
    kind: source.kind,
    open: async (surroundings): Promise<EngineStore> => {
      const store = await source.open(surroundings)
      return {
        ...store,
        audit: { ...store.audit, enable: async () => {} },
        tenants: { ...store.tenants, limitOthers: async () => {} },
      }
    },
  }
}
