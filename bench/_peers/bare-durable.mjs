import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { coalesce } from './_coalesce.mjs'

const CONNECTIONS = { coalesced: 2, single: 20 }

const INSERT = {
  name: 'insert',
  text: `
    insert into entries (run_id, sequence, name, output, recorded_at)
    select run_id, sequence, 'activity', '1', now()
    from unnest($1::uuid[], $2::int[]) as entry (run_id, sequence)`,
}

/** What recording costs at the least: a row for each activity, and nothing else. */
export function create({ isCoalesced }) {
  let pool
  const insert = (entries) =>
    pool.query({ ...INSERT, values: [entries.map(({ id }) => id), entries.map(({ sequence }) => sequence)] })
  const record = isCoalesced ? coalesce(insert) : (entry) => insert([entry])
  return {
    async setup({ url }) {
      pool = new pg.Pool({ connectionString: url, max: isCoalesced ? CONNECTIONS.coalesced : CONNECTIONS.single })
      await pool.query(`
        create table entries (
          run_id uuid,
          sequence int,
          name text,
          output text,
          recorded_at timestamptz,
          primary key (run_id, sequence)
        )`)
    },
    async start({ runs, atOnce, activities, perform }) {
      let left = runs
      const caller = async () => {
        while (left-- > 0) {
          const id = randomUUID()
          for (let sequence = 1; sequence <= activities; sequence++) {
            await record({ id, sequence })
            perform()
          }
        }
      }
      for (let number = 0; number < atOnce; number++) void caller()
    },
    async stop() {},
    isLeft: 'select false as answer',
    recorded: 'select count(*)::int as answer from entries',
  }
}
