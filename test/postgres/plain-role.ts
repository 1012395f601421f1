import pg from 'pg'
import type { TestDatabase } from './database.ts'

const ROLE = 'pontual_plain'

/** The URL of a database for a role that is no superuser and owns nothing, so that row security holds for it: it may run an engine, and act for tenants. */
export async function forPlainRole({ url }: TestDatabase): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(
      `do $$ begin create role ${ROLE} login; exception when duplicate_object or unique_violation then null; end $$`,
    )
    await client.query(`
      grant usage on schema pontual to ${ROLE};
      grant select, insert, update, delete on all tables in schema pontual to ${ROLE};
      grant pontual_engine, pontual_api to ${ROLE}`)
  } finally {
    await client.end()
  }
  const changed = new URL(url)
  changed.username = ROLE
  return changed.href
}
