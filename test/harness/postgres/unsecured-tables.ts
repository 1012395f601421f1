import type pg from 'pg'

/** Tables and partitions of ours whose rows are not kept apart by tenant, also from their owner. */
export async function unsecuredTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name
    from pg_class
    where relnamespace = 'pontual'::regnamespace
      and relkind in ('r', 'p')
      and not (relrowsecurity and relforcerowsecurity)
    order by relname`,
  )
  return rows.map(({ name }) => name)
}
