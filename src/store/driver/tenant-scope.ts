import type { Driver, Statement } from './driver.ts'

/** Its number, for the policies that ask for it: while the role is still that of whoever is logged in. */
const NOTE_NUMBER = `
  set_config('pontual.tenant_id', coalesce((select id || ' ' || name from pontual.tenants where name = $1::text), ''), true)`

/**
 * Begins what is done for a tenant: until the end of the transaction the role is one that row security holds to the tenant's rows. Nothing of it is left
 * to whoever has the connection next.
 */
export const enterTenant: Statement = {
  name: 'enterTenant',
  text: `
select${NOTE_NUMBER},
  set_config('role', 'pontual_api', true),
  set_config('pontual.tenant', $1::text, true)`,
}

/** The same, and what comes next is the head of a list. */
export const enterTenantForHead: Statement = {
  name: 'enterTenantForHead',
  text: `
select${NOTE_NUMBER},
  set_config('role', 'pontual_api', true),
  set_config('pontual.tenant', $1::text, true),
  set_config('plan_cache_mode', 'force_custom_plan', true)`,
}

/** What comes next is the head of a list. */
export const readHead: Statement = {
  name: 'readHead',
  text: `
select
  set_config('plan_cache_mode', 'force_custom_plan', true)`,
}

/** What a driver does for one tenant: all that it sends goes through the two; the rest is that of the driver itself, which nobody closes from here. */
export function scopedDriver(driver: Driver, sending: Pick<Driver, 'query' | 'transaction'>): Driver {
  return {
    kind: driver.kind,
    schema: driver.schema,
    ...sending,
    script: (text) => sending.transaction((transaction) => transaction.script(text)),
    listen: (channel, onMessage) => driver.listen(channel, onMessage),
    forTenant: (tenant) => driver.forTenant(tenant),
    close: () => Promise.resolve(),
  }
}
