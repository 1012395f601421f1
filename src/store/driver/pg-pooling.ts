import type { Client } from 'pg'
import type { PgConnection } from './pg-connection.ts'
import { loadPg } from './pg-module.ts'
import { PgServers } from './pg-servers.ts'

/** What stands before the server. `session`: a pooler, and nothing was seen of a connection that serves several clients. */
export type Pooling = 'none' | 'session' | 'transaction'

const HOLDERS = 2

/**
 * Finds out what stands before a server, with some connections of its own. A pooler gives each client a number that is not that of the server process behind
 * it. In session mode that process stays with its client; else it serves another meanwhile, or the client meets another one.
 */
export async function findPooling(connection: string | PgConnection): Promise<Pooling> {
  const servers = new PgServers(await loadPg(), connection)
  const clients: Client[] = []
  try {
    while (clients.length < HOLDERS + 1) clients.push(await servers.connect(() => {}))
    const [asker, ...holders] = clients as [Client, ...Client[]]
    const first = await processOf(asker)
    if (first === numberOf(asker)) return 'none'
    return (await isShared(asker, first, holders)) ? 'transaction' : 'session'
  } finally {
    await Promise.allSettled(clients.map((client) => client.end()))
  }
}

async function isShared(asker: Client, first: number, holders: readonly Client[]): Promise<boolean> {
  const met = new Set([first])
  for (const holder of holders) {
    // Held until the end of the connection, so that the next one meets another.
    await holder.query('begin')
    if (met.has(await processOf(holder))) return true
    met.add(await processOf(asker))
    if (met.size > 1) return true
  }
  return false
}

async function processOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

function numberOf(client: Client): number {
  return (client as Client & { processID?: number }).processID ?? 0
}
