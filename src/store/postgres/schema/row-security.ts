import { PontualError } from '../../../errors.ts'
import type { Driver, Statement } from '../../driver/driver.ts'
import type { SchemaName } from '../../driver/schema-name.ts'
import { sqlStateOf } from '../../unavailable.ts'

const rowSecurity: Statement = {
  name: 'readRowSecurity',
  text: `
select
  is_on as "isOn",
  is_engine as "isEngine",
  may_act_for_tenants as "mayActForTenants",
  current_user::text as role
from pontual.row_security()`,
}

const secureRows: Statement = {
  name: 'secureRows',
  text: `
select pontual.secure_rows() as remedy`,
}

/** Whether it is on, and what that means to the role that asks. */
export interface RowSecurity {
  readonly isOn: boolean
  readonly isEngine: boolean
  readonly mayActForTenants: boolean
  readonly role: string
}

/** insufficient_privilege, lock_not_available, deadlock_detected */
const NOT_NOW: ReadonlySet<string> = new Set(['42501', '55P03', '40P01'])

/** Others wait behind whoever waits for a table. */
const WAIT_BRIEFLY = `set local lock_timeout = '2s'`

/** To lock every table may take long on a busy server. */
const DEADLINE_MS = 60_000

/**
 * Whether the database keeps tenants apart: null, or what its administrator has to do first, as SQL. Where it can be switched on now it is, unless the
 * tables are not to be changed. Refuses a role that row security would show nothing: it would wait for work for ever.
 */
export async function settleRowSecurity(driver: Driver, mayChange: boolean): Promise<string | null> {
  const found = await readRowSecurity(driver)
  if (found.isOn && !found.isEngine) throw seesNothing(found.role, driver.schema)
  if (found.isOn) return found.mayActForTenants ? null : membershipOf(found.role, driver.schema)
  return mayChange ? await trySecuring(driver, found.role) : switchedOff(found.role, driver.schema)
}

export async function readRowSecurity(driver: Driver): Promise<RowSecurity> {
  const [found] = await driver.query<RowSecurity>(rowSecurity)
  if (!found) throw new Error('pontual.row_security() gave no row.')
  return found
}

async function trySecuring(driver: Driver, role: string): Promise<string | null> {
  try {
    const [row] = await driver.transaction(
      async (database) => {
        await database.script(WAIT_BRIEFLY)
        return await database.query<{ remedy: string | null }>(secureRows)
      },
      { deadlineMs: DEADLINE_MS },
    )
    return row?.remedy ?? null
  } catch (error) {
    // The tables are another role's, or in use for long.
    if (NOT_NOW.has(sqlStateOf(error) ?? '')) return switchedOff(role, driver.schema)
    throw error
  }
}

function seesNothing(role: string, schema: SchemaName): PontualError {
  const message = `The role "${role}" is no member of ${schema.compose('pontual_engine')}, so that row security shows it nothing. Run as an administrator: ${membershipOf(role, schema)}`
  return new PontualError('store.role_unfit', message, { role })
}

/** What makes a role fit, as SQL. */
export function membershipOf(role: string, schema: SchemaName): string {
  return `${schema.compose('grant pontual_engine, pontual_api to')} ${quoteName(role)};`
}

/** What switches row security on, as SQL. */
export function switchedOff(role: string, schema: SchemaName): string {
  return `${membershipOf(role, schema)} ${schema.compose('select pontual.secure_rows();')}`
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
