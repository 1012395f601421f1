import { InvalidInputError, PontualError, quote } from '../../../errors.ts'
import type { Driver, Statement } from '../../driver/driver.ts'
import { reasonOf } from '../../driver/pg-errors.ts'
import type { SchemaName } from '../../driver/schema-name.ts'
import { sqlStateOf } from '../../unavailable.ts'
import { LOCK_MIGRATIONS } from './migrate.ts'

/** The role that owns the tables, and the one that nodes log in as. */
export interface Roles {
  readonly owner: string
  readonly login: string
}

interface GivenRoles {
  readonly owner?: string | undefined
  readonly login?: string | undefined
}

function defaultRoles(schema: SchemaName): Roles {
  return { owner: schema.compose('pontual_owner'), login: schema.compose('pontual_app') }
}

export interface SeparatedRoles extends Roles {
  /** Whether the login role was created now, without a password. */
  readonly isNew: boolean
  /** Why the roles could not be separated; null if they were. */
  readonly refusal: string | null
  /** The SQL for an administrator; null if the roles were separated. */
  readonly sql: string | null
}

const findRoles: Statement = {
  name: 'findRoles',
  text: `
select
  exists (select from pg_roles where rolname = $1) as "hasLogin",
  exists (select from pg_roles where rolname = current_user and (rolsuper or rolcreaterole)) as "mayCreateRoles"`,
}

/** May wait for every table. */
const DEADLINE_MS = 300_000

const MAX_NAME_BYTES = 63
const INSUFFICIENT_PRIVILEGE = '42501'
const INVALID_PARAMETER = '22023'

/** Names of roles as given; a name that is not given is the default. */
export function readRoles({ owner, login }: GivenRoles, schema: SchemaName): Roles {
  const preset = defaultRoles(schema)
  const roles = { owner: owner ?? preset.owner, login: login ?? preset.login }
  for (const name of Object.values(roles)) {
    if (name !== '' && !name.includes('\0') && Buffer.byteLength(name) <= MAX_NAME_BYTES) continue
    const message = `The name of a role has 1 to ${MAX_NAME_BYTES} bytes, got ${quote(name)}.`
    throw new InvalidInputError('store.role_invalid', message, { name })
  }
  if (roles.owner !== roles.login) return roles
  const message = `The owner of the tables and the login role must differ, got ${quote(roles.owner)} for both.`
  throw new InvalidInputError('store.role_invalid', message, roles)
}

/** True if `migrate` may separate a new database without a request: the current role may create roles, and no role has the name of the login role. */
export async function maySeparate(driver: Driver): Promise<boolean> {
  const [found] = await driver.query<{ hasLogin: boolean; mayCreateRoles: boolean }>(findRoles, [
    defaultRoles(driver.schema).login,
  ])
  return found?.mayCreateRoles === true && !found.hasLogin
}

/** Separates the owner of the tables from the login role, or returns the SQL for an administrator. */
export async function separateRoles(driver: Driver, roles: Roles): Promise<SeparatedRoles> {
  const [found] = await driver.query<{ hasLogin: boolean }>(findRoles, [roles.login])
  try {
    await driver.transaction(
      async (transaction) => {
        await transaction.query(nameRoles, [roles.owner, roles.login])
        await transaction.script(SEPARATION)
      },
      { deadlineMs: DEADLINE_MS },
    )
    return { ...roles, isNew: !found?.hasLogin, refusal: null, sql: null }
  } catch (error) {
    const state = sqlStateOf(error)
    if (state === INVALID_PARAMETER) throw new PontualError('store.role_unfit', reasonOf(error), { ...roles })
    if (state !== INSUFFICIENT_PRIVILEGE) throw error
    return { ...roles, isNew: false, refusal: reasonOf(error), sql: printSeparation(roles, driver.schema) }
  }
}

/** Names both roles to the script that follows in the same transaction. */
const nameRoles: Statement = {
  name: 'nameRoles',
  text: `
select pg_catalog.set_config('pontual.owner_role', $1, true), pg_catalog.set_config('pontual.login_role', $2, true)`,
}

/** The same as a script, for an administrator. */
export function printSeparation({ owner, login }: Roles, schema: SchemaName): string {
  // The names are the caller's: they are not composed.
  const named = schema
    .compose(nameRoles.text)
    .replace('$1', () => literal(owner))
    .replace('$2', () => literal(login))
  return [
    '-- Gives the tables of Pontual to a role that cannot log in, and grants the rights of a node to the role that nodes log in as.',
    '-- Does all of it or nothing; may be repeated, also while nodes run.',
    `begin;${named};${schema.compose(SEPARATION)}\ncommit;\n`,
  ].join('\n')
}

/**
 * An administrator runs it, so it resolves no name in a schema where the login role may create objects. Roles that owned tables before, and may be those of
 * running nodes, are granted the same as the login role.
 */
const SEPARATION = `
set local search_path = pg_catalog, pg_temp;
${LOCK_MIGRATIONS};
do $separation$
declare
  owner_role constant name := current_setting('pontual.owner_role');
  login_role constant name := current_setting('pontual.login_role');
  has_options constant boolean := current_setting('server_version_num')::integer >= 160000;
  is_super constant boolean := (select rolsuper from pg_roles where rolname = current_user);
  role_name name;
  former name[];
  locked text;
  altered record;
begin
  if login_role = current_user then
    raise exception 'The role "%" cannot take the tables away from itself; another role has to do it', login_role
    using errcode = 'insufficient_privilege';
  end if;

  foreach role_name in array array['pontual_engine', 'pontual_api', owner_role, login_role] loop
    perform from pg_roles where rolname = role_name;
    continue when found;
    -- Roles belong to all databases of a server, and another one may be migrated at the same moment.
    begin
      execute format('create role %I %s', role_name, case when role_name = login_role then 'login' else 'nologin' end);
    exception
      when duplicate_object or unique_violation then null;
    end;
  end loop;
  if (select rolcanlogin or rolsuper or rolbypassrls from pg_roles where rolname = owner_role) then
    raise exception 'The role "%" cannot own the tables: it can log in, or row security does not hold for it', owner_role
    using errcode = 'invalid_parameter_value';
  end if;
  if not is_super and not pg_has_role(owner_role, 'usage') then
    execute format('grant %I to current_user', owner_role);
  end if;

  former := array(
    select pg_get_userbyid(owned.owner)
    from (
      select nspowner as owner from pg_namespace where nspname = 'pontual'
      union
      select relowner from pg_class where relnamespace = 'pontual'::regnamespace
      union
      select proowner from pg_proc where pronamespace = 'pontual'::regnamespace
    ) as owned
    where pg_get_userbyid(owned.owner) <> owner_role
    order by 1
  );
  -- All tables at once, or none: nodes wait for a moment, and never for long.
  locked := (
    select string_agg(oid::regclass::text, ', ' order by relname)
    from pg_class
    where relnamespace = 'pontual'::regnamespace
      and relkind in ('r', 'p')
      and pg_get_userbyid(relowner) <> owner_role
  );
  if locked is not null then
    for tries in 1..600 loop
      begin
        set local lock_timeout = '250ms';
        execute format('lock table %s in access exclusive mode', locked);
        exit;
      exception
        when lock_not_available or deadlock_detected then
          if tries = 600 then
            raise;
          end if;
          perform pg_sleep(0.2);
      end;
    end loop;
    set local lock_timeout to default;
  end if;
  if (select pg_get_userbyid(nspowner) <> owner_role from pg_namespace where nspname = 'pontual') then
    execute format('alter schema pontual owner to %I', owner_role);
  end if;
  for altered in
    select case relkind when 'v' then 'view' when 'c' then 'type' else 'table' end as kind, oid::regclass::text as title
    from pg_class
    where relnamespace = 'pontual'::regnamespace
      and relkind in ('r', 'p', 'v', 'c')
      and pg_get_userbyid(relowner) <> owner_role
    union all
    select 'function', oid::regprocedure::text
    from pg_proc
    where pronamespace = 'pontual'::regnamespace
      and pg_get_userbyid(proowner) <> owner_role
  loop
    execute format('alter %s %s owner to %I', altered.kind, altered.title, owner_role);
  end loop;

  former := array(
    select rolname
    from pg_roles
    where rolname = any(former)
      and not rolsuper
      and rolname <> current_user
  );

  foreach role_name in array array[owner_role, login_role] || former loop
    begin
      if not pg_has_role(role_name, 'pontual_engine', 'usage') then
        execute format('grant pontual_engine to %I', role_name);
      end if;
      if not pg_has_role(role_name, 'pontual_api', case when has_options then 'set' else 'member' end) then
        execute format('grant pontual_api to %I %s', role_name, case when has_options then 'with inherit false' end);
      end if;
    exception
      when duplicate_object or unique_violation or internal_error then null;
    end;
  end loop;
  -- secure_rows() grants the other tables to roles that may write jobs.
  foreach role_name in array login_role || former loop
    execute format('revoke all on all tables in schema pontual from %I', role_name);
    execute format('revoke create on schema pontual from %I', role_name);
    execute format('grant usage on schema pontual to %I', role_name);
    execute format('grant select, insert, update, delete on pontual.jobs to %I', role_name);
  end loop;

  if exists (
    select
    from pg_roles
    where rolname = login_role
      and (rolsuper or rolbypassrls or (rolcreaterole and not has_options) or pg_has_role(oid, owner_role, 'member'))
  ) then
    raise exception 'The role "%" can become the owner of the tables: it is a superuser, bypasses row security, creates roles, or is a member of "%"',
      login_role, owner_role
    using errcode = 'invalid_parameter_value';
  end if;
  perform set_config('role', owner_role, true);
  perform pontual.secure_rows();
end
$separation$;`

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
