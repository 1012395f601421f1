import pg from 'pg'
import { startServer } from '../../harness/postgres/server.ts'

/** A server with `fsync` on, and a database of its own for each part. */
export async function startSoakServer() {
  const server = await startServer({ version: '18', isDurable: true })
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  // In a run of minutes tables have to be looked at more often than once in one, or nothing would be seen to level off.
  await client.query(`alter system set autovacuum_naptime = '5s'`)
  await client.query('select pg_reload_conf()')
  return {
    createDatabase: async (name: string): Promise<string> => {
      await client.query(`create database "${name}"`)
      const url = new URL(server.url)
      url.pathname = `/${name}`
      return url.href
    },
    dropDatabase: async (name: string): Promise<void> => {
      await client.query(`drop database "${name}" with (force)`)
    },
    stop: async (): Promise<void> => {
      await client.end()
      await server.stop()
    },
  }
}
