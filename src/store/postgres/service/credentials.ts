import type { ApiKey, CredentialStore, NewApiKey, NewSession, Session } from '../../credentials.ts'
import type { Statement } from '../../driver/driver.ts'
import type { Parts } from '../parts.ts'
import { writeAudit } from './write-audit.ts'

const SELECT_KEYS = `
select
  id,
  tenant,
  name,
  secret_hash as "secretHash",
  profile,
  permissions,
  owner_id as "ownerId",
  pontual.to_ms(expires_at) as "expiresAt",
  pontual.to_ms(created_at) as "createdAt",
  pontual.to_ms(revoked_at) as "revokedAt",
  pontual.to_ms(last_used_at) as "lastUsedAt"
from pontual.api_keys`

const findKey: Statement = {
  name: 'findKey',
  text: `${SELECT_KEYS}
where secret_hash = $1::text`,
}

const listKeys: Statement = {
  name: 'listKeys',
  text: `${SELECT_KEYS}
where tenant = $1::text
order by created_at desc, id desc`,
}

const addKey: Statement = {
  name: 'addKey',
  text: `
insert into pontual.api_keys (
  id,
  tenant,
  name,
  secret_hash,
  profile,
  permissions,
  owner_id,
  expires_at,
  created_at
)
values (
  $2::text,
  $3::text,
  $4::text,
  $5::text,
  $6::text,
  $7::text[],
  $8::text,
  pontual.from_ms($9::float8),
  pontual.clock($1::float8)
)
on conflict (id) do nothing
returning id`,
}

const revokeKey: Statement = {
  name: 'revokeKey',
  text: `
update pontual.api_keys
set revoked_at = pontual.clock($1::float8)
where tenant = $2::text
  and id = $3::text
  and revoked_at is null
returning id`,
}

const touchKeys: Statement = {
  name: 'touchKeys',
  text: `
with found as materialized (
  select id
  from pontual.api_keys
  where id = any($2::text[])
  order by id
  for no key update
)
update pontual.api_keys
set last_used_at = greatest(last_used_at, pontual.clock($1::float8))
from found
where api_keys.id = any($2::text[])
  and api_keys.id = found.id`,
}

const findSession: Statement = {
  name: 'findSession',
  text: `
select
  secret_hash as "secretHash",
  tenant,
  user_id as "userId",
  owner_id as "ownerId",
  profile,
  permissions,
  source,
  key_id as "keyId",
  pontual.to_ms(expires_at) as "expiresAt",
  pontual.to_ms(created_at) as "createdAt"
from pontual.sessions
where secret_hash = $2::text
  and expires_at > pontual.clock($1::float8)
  and (
    key_id is null
    or exists (
      select
      from pontual.api_keys
      where api_keys.id = sessions.key_id
        and api_keys.revoked_at is null
        and coalesce(api_keys.expires_at, 'infinity') > pontual.clock($1::float8)
    )
  )`,
}

const addSession: Statement = {
  name: 'addSession',
  text: `
insert into pontual.sessions (
  secret_hash,
  tenant,
  user_id,
  owner_id,
  profile,
  permissions,
  source,
  key_id,
  expires_at,
  created_at
)
values (
  $2::text,
  $3::text,
  $4::text,
  $5::text,
  $6::text,
  $7::text[],
  $8::text,
  $9::text,
  pontual.from_ms($10::float8),
  pontual.clock($1::float8)
)
on conflict (secret_hash) do nothing`,
}

const removeSessions: Statement = {
  name: 'removeSessions',
  text: `
delete from pontual.sessions
where secret_hash = any($1::text[])`,
}

export function credentialStore({ driver, testTime }: Parts): CredentialStore {
  return {
    async findKey(secretHash) {
      const [key] = await driver.query<ApiKey>(findKey, [secretHash])
      return key ?? null
    },

    listKeys: (tenant) => driver.query<ApiKey>(listKeys, [tenant]),

    async addKey(key, audit) {
      await driver.transaction(async (transaction) => {
        const added = await transaction.query(addKey, [testTime(), ...keyValues(key)])
        if (audit && added.length > 0) await writeAudit(transaction, [{ ...audit, tenant: key.tenant }], testTime())
      })
    },

    revokeKey: (tenant, id, audit) =>
      driver.transaction(async (transaction) => {
        const revoked = await transaction.query(revokeKey, [testTime(), tenant, id])
        if (audit && revoked.length > 0) await writeAudit(transaction, [{ ...audit, tenant }], testTime())
        return revoked.length > 0
      }),

    async touchKeys(ids) {
      if (ids.length > 0) await driver.query(touchKeys, [testTime(), [...new Set(ids)]])
    },

    async findSession(secretHash) {
      const [session] = await driver.query<Session>(findSession, [testTime(), secretHash])
      return session ?? null
    },

    async addSession(session) {
      await driver.query(addSession, [testTime(), ...sessionValues(session)])
    },

    async removeSessions(secretHashes) {
      if (secretHashes.length > 0) await driver.query(removeSessions, [secretHashes])
    },
  }
}

function keyValues({ id, tenant, name, secretHash, profile, permissions, ownerId, expiresAt }: NewApiKey): unknown[] {
  return [id, tenant, name, secretHash, profile, permissions, ownerId, expiresAt]
}

function sessionValues(session: NewSession): unknown[] {
  const { secretHash, tenant, userId, ownerId, profile, permissions, source, keyId, expiresAt } = session
  return [secretHash, tenant, userId, ownerId, profile, permissions, source, keyId, expiresAt]
}
