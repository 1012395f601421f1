import type { Driver, Statement } from '../../driver/driver.ts'

/** Roles that own a part of the schema; a superuser can become each of them, and before PostgreSQL 16 so can a role that creates roles. */
const readOwners: Statement = {
  name: 'inspectOwners',
  text: `
select
  owner.rolname::text as name,
  owner.rolcanlogin as "canLogIn",
  current_user::text as role,
  pg_has_role(owner.oid, 'member')
    or (me.rolcreaterole and current_setting('server_version_num')::integer < 160000) as "isAttainable"
from (
  select nspowner as oid from pg_namespace where nspname = 'pontual'
  union
  select relowner from pg_class where relnamespace = (select oid from pg_namespace where nspname = 'pontual')
  union
  select proowner from pg_proc where pronamespace = (select oid from pg_namespace where nspname = 'pontual')
) as owned
join pg_roles as owner on owner.oid = owned.oid
join pg_roles as me on me.rolname = current_user
order by owner.rolname`,
}

export interface OwnerFacts {
  readonly name: string
  readonly canLogIn: boolean
  /** The role that is connected, and if it can act as the owner, or make itself able to. */
  readonly role: string
  readonly isAttainable: boolean
}

export function inspectOwners(driver: Driver): Promise<OwnerFacts[]> {
  return driver.query<OwnerFacts>(readOwners)
}
