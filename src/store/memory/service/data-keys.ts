import type { DataKey, DataKeyStore } from '../../data-keys.ts'
import { compareText, inOrderOf } from '../schema/compare.ts'
import { keyOf } from '../schema/table.ts'
import type { Tables } from '../schema/tables.ts'
import type { Session } from '../session.ts'

const byTenant = inOrderOf<DataKey>(
  (a, b) => compareText(a.tenant, b.tenant),
  (a, b) => a.version - b.version,
)

export function dataKeyStore(session: Session): DataKeyStore {
  const all = ({ service }: Tables) => [...service.dataKeys.rows()].toSorted(byTenant)
  return {
    find: (tenants) => session.statement((tables) => all(tables).filter(({ tenant }) => tenants.includes(tenant))),
    add: (keys) =>
      session.statement(({ service }) => {
        for (const key of keys)
          if (!service.dataKeys.has(keyOf(key.tenant, key.version))) service.dataKeys.put({ ...key })
      }),
    listOthers: (keyId, limit) =>
      session.statement((tables) =>
        all(tables)
          .filter((key) => key.keyId !== keyId)
          .slice(0, limit),
      ),
    rewrap: (changes) =>
      session.statement(({ service }) => {
        const current = changes.filter(
          ({ seen }) => service.dataKeys.get(keyOf(seen.tenant, seen.version))?.wrapped === seen.wrapped,
        )
        for (const { seen, keyId, wrapped } of current) service.dataKeys.put({ ...seen, keyId, wrapped })
        return current.length
      }),
    count: () =>
      session.statement((tables) => {
        const used = all(tables).map(({ keyId }) => keyId)
        const ids = [...new Set(used)].toSorted(compareText)
        return ids.map((keyId) => ({ keyId, dataKeys: used.filter((each) => each === keyId).length }))
      }),
  }
}
