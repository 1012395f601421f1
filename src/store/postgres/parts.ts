import type { Driver } from '../driver/driver.ts'
import type { ClaimCursor } from './claim/claim-cursor.ts'
import type { Lanes } from './claim/lanes.ts'
import type { Hints } from './nodes/hints.ts'

/** What the verbs share. */
export interface Parts {
  readonly driver: Driver
  readonly hints: Hints
  readonly lanes: Lanes
  readonly cursor: ClaimCursor
  /** The first value of every statement that depends on time: the time of a test, or null for the database's own. */
  readonly testTime: () => number | null
}

/** PostgreSQL's text holds every character but one. */
export function storable(text: string): string
export function storable(text: string | null): string | null
export function storable(text: string | null): string | null {
  return text?.includes('\0') ? text.replaceAll('\0', '\ufffd') : text
}

/** JSON as `jsonb` holds it: also written with an escape, that character is none of PostgreSQL's, and neither is half of a pair of surrogates. */
export function storableJson(value: object): string {
  return JSON.stringify(value, (_name, each: unknown) =>
    typeof each === 'string' ? storable(each).replace(/\p{Surrogate}/gu, '\ufffd') : each,
  )
}

/**
 * One row, of which the planner expects a thousand. A list that is read up to a limit is then expected to be found early, whatever the statistics say: it is
 * read in the order of an index, not sorted, and its estimate stays far below that at which a server compiles a statement.
 */
export const LONG = `cross join generate_series(1, (select 1))`

/** The lanes of the tenant that `$1` names, as one array. */
export const WANTED_LANES = `wanted as materialized (
  select array(
    select id
    from pontual.lanes
    where tenant_id = (select id from pontual.tenants where name = $1::text)
  ) as lanes
)`

/** Sends the hint, if there is one, when `rows` has a row: a part of a statement, whose result the statement has to read. */
export const notifiedIf = (hint: string, rows: string): string => `notified as (
  select pg_notify('pontual', ${hint}::text)
  where ${hint}::text is not null
    and exists (select from ${rows})
)`
