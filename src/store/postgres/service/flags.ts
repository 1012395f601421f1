import { FLAGS, type Flag, type FlagAnswers, flagsFrom } from '../../../access/flag.ts'
import type { Queryable, Statement } from '../../driver/driver.ts'
import type { FlagStore, FlagValue, ProvidedFlag, TenantFlagStore } from '../../flags.ts'
import type { Parts } from '../parts.ts'
import { writeAudit } from './write-audit.ts'

const readFlags: Statement = {
  name: 'readFlags',
  text: `
select
  known.flag,
  tenant_flags.stored,
  tenant_flags.provided,
  (select value::boolean from pontual.settings where name = 'flag.' || known.flag) as common
from unnest($2::text[]) as known (flag)
left join pontual.tenant_flags
  on tenant_flags.tenant = $1::text
  and tenant_flags.flag = known.flag`,
}

// Whoever fires, claims or tries again looks at once.
const putFlags: Statement = {
  name: 'putFlags',
  text: `
select
  pontual.put_flags($1::text[], $2::text[], $3::boolean[], $4::boolean),
  pg_notify('pontual', 'jobs'),
  pg_notify('pontual', 'ready')`,
}

const putDefaultFlags: Statement = {
  name: 'putDefaultFlags',
  text: `
select
  pontual.put_default_flags($1::text[], $2::boolean[]),
  pg_notify('pontual', 'jobs'),
  pg_notify('pontual', 'ready')`,
}

interface FlagRow extends FlagAnswers {
  readonly flag: Flag
}

const UNKNOWN: FlagAnswers = { provided: null, stored: null, common: null }

export function tenantFlagStore(parts: Parts): TenantFlagStore {
  const { driver, testTime } = parts
  return {
    async read(tenant) {
      const rows = await driver.query<FlagRow>(readFlags, [tenant, FLAGS])
      const byFlag = new Map(rows.map((row) => [row.flag, row]))
      return flagsFrom((flag) => byFlag.get(flag) ?? UNKNOWN)
    },

    async put({ tenant, flags, audit }) {
      if (flags.length === 0 && !audit) return
      await driver.transaction(async (transaction) => {
        await putAll(
          transaction,
          flags.map((each) => ({ ...each, tenant })),
          false,
        )
        if (audit) await writeAudit(transaction, [{ ...audit, tenant }], testTime())
      })
    },
  }
}

export function flagStore(parts: Parts): FlagStore {
  const { driver } = parts
  return {
    ...tenantFlagStore(parts),
    async putDefaults(flags) {
      const last = lastOf(flags, ({ flag }) => flag)
      if (last.length > 0) await driver.query(putDefaultFlags, [last.map(({ flag }) => flag), last.map(isOnOf)])
    },

    provide: (answers) => putAll(driver, answers, true),
  }
}

async function putAll(driver: Queryable, flags: readonly ProvidedFlag[], areProvided: boolean): Promise<void> {
  const last = lastOf(flags, ({ tenant, flag }) => JSON.stringify([tenant, flag]))
  if (last.length === 0) return
  const values = [last.map(({ tenant }) => tenant), last.map(({ flag }) => flag), last.map(isOnOf), areProvided]
  await driver.query(putFlags, values)
}

function isOnOf({ isEnabled }: FlagValue): boolean | null {
  return isEnabled
}

/** The last word counts. */
function lastOf<Value>(values: readonly Value[], keyOf: (value: Value) => string): Value[] {
  return [...new Map(values.map((value) => [keyOf(value), value])).values()]
}
