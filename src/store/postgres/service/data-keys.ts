import type { DataKey, DataKeyStore, KeyUse } from '../../data-keys.ts'
import type { Queryable, Statement } from '../../driver/driver.ts'
import type { EnqueueOptions } from '../../executions.ts'
import { inTransaction } from '../executions/caller-transaction.ts'
import type { Parts } from '../parts.ts'

const findDataKeys: Statement = {
  name: 'findDataKeys',
  text: `
select
  tenant,
  version,
  key_id as "keyId",
  wrapped
from pontual.data_keys
where tenant = any($1::text[])
order by tenant, version`,
}

const addDataKeys: Statement = {
  name: 'addDataKeys',
  text: `
insert into pontual.data_keys (tenant, version, key_id, wrapped, created_at)
select tenant, version, key_id, wrapped, pontual.clock($1::float8)
from unnest($2::text[], $3::int[], $4::text[], $5::text[]) as given (tenant, version, key_id, wrapped)
order by tenant, version
on conflict do nothing`,
}

const listOtherDataKeys: Statement = {
  name: 'listOtherDataKeys',
  text: `
select
  tenant,
  version,
  key_id as "keyId",
  wrapped
from pontual.data_keys
where key_id <> $1::text
order by tenant, version
limit $2::int`,
}

const rewrapDataKeys: Statement = {
  name: 'rewrapDataKeys',
  text: `
with changed as (
  update pontual.data_keys
  set
    key_id = given.key_id,
    wrapped = given.wrapped
  from unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::text[]) as given (tenant, version, seen, key_id, wrapped)
  where data_keys.tenant = given.tenant
    and data_keys.version = given.version
    and data_keys.wrapped = given.seen
  returning 1
)
select count(*)::int as count
from changed`,
}

const countDataKeys: Statement = {
  name: 'countDataKeys',
  text: `
select
  key_id as "keyId",
  count(*)::int as "dataKeys"
from pontual.data_keys
group by key_id
order by key_id`,
}

export function dataKeyStore({ driver, testTime }: Parts): DataKeyStore {
  const databaseOf = ({ transaction }: EnqueueOptions): Queryable =>
    transaction ? inTransaction(transaction, driver.schema) : driver
  return {
    find: (tenants, options = {}) => databaseOf(options).query<DataKey>(findDataKeys, [tenants]),
    async add(keys, options = {}) {
      if (keys.length === 0) return
      await databaseOf(options).query(addDataKeys, [
        testTime(),
        keys.map(({ tenant }) => tenant),
        keys.map(({ version }) => version),
        keys.map(({ keyId }) => keyId),
        keys.map(({ wrapped }) => wrapped),
      ])
    },
    listOthers: (keyId, limit) => driver.query<DataKey>(listOtherDataKeys, [keyId, limit]),
    async rewrap(changes) {
      if (changes.length === 0) return 0
      const [row] = await driver.query<{ count: number }>(rewrapDataKeys, [
        changes.map(({ seen }) => seen.tenant),
        changes.map(({ seen }) => seen.version),
        changes.map(({ seen }) => seen.wrapped),
        changes.map(({ keyId }) => keyId),
        changes.map(({ wrapped }) => wrapped),
      ])
      return row?.count ?? 0
    },
    count: () => driver.query<KeyUse>(countDataKeys),
  }
}
