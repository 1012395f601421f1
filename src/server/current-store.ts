import type { Pontual } from '../pontual.ts'
import { REQUEST_PATIENCE_MS } from '../service/scope.ts'
import type { Store } from '../store/store.ts'

/**
 * What an API itself asks of an application's store: of the one that is open when it asks, since an application that was stopped and started again has opened
 * another.
 */
export function currentStore(app: Pontual): Pick<Store, 'credentials' | 'rates' | 'requests'> {
  const store = async () => {
    const opened = await app.opened()
    return opened.patience.upTo(REQUEST_PATIENCE_MS).over(opened.store)
  }
  const credentials = async () => (await store()).credentials
  const rates = async () => (await store()).rates
  const requests = async () => (await store()).requests
  return {
    credentials: {
      findKey: async (secretHash) => await (await credentials()).findKey(secretHash),
      listKeys: async (tenant) => await (await credentials()).listKeys(tenant),
      addKey: async (key, audit) => await (await credentials()).addKey(key, audit),
      revokeKey: async (tenant, id, audit) => await (await credentials()).revokeKey(tenant, id, audit),
      touchKeys: async (ids) => await (await credentials()).touchKeys(ids),
      findSession: async (secretHash) => await (await credentials()).findSession(secretHash),
      addSession: async (session) => await (await credentials()).addSession(session),
      removeSessions: async (secretHashes) => await (await credentials()).removeSessions(secretHashes),
    },
    rates: { acquire: async (asked) => await (await rates()).acquire(asked) },
    requests: {
      begin: async (request) => await (await requests()).begin(request),
      finish: async (request, answer) => await (await requests()).finish(request, answer),
      forget: async (request) => await (await requests()).forget(request),
    },
  }
}
