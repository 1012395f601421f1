import pg from 'pg'
import type { Stage } from '../stage.ts'

const PATIENCE_MS = 5_000
const CONNECT_MS = 2_000
const TRY_AGAIN_MS = 200

/** A connection to the server as somebody has who sits before it, past every wire; null where the server cannot be reached now. */
export async function connectByHand({ server }: Stage): Promise<pg.Client | null> {
  const client = new pg.Client({
    connectionString: server.url,
    application_name: 'torture',
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: PATIENCE_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch {
    await leave(client)
    return null
  }
}

/** Ends a connection, which may be gone, or silent: then nobody waits for it. */
export async function leave(client: pg.Client): Promise<void> {
  const ended = client.end().catch(() => {})
  const isOver = await Promise.race([ended.then(() => true), new Promise((resolve) => setTimeout(resolve, 500))])
  if (!isOver) client.connection.stream.destroy()
}

/**
 * Something that is done by hand, as far as the server lets it: it may be struck by another fault meanwhile. Null where it cannot be reached for seconds, or
 * where it did not come to an end.
 */
export async function byHand<Result>(
  stage: Stage,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result | null> {
  let client = await connectByHand(stage)
  const until = performance.now() + PATIENCE_MS
  while (client === null && performance.now() < until) {
    await stage.wait(TRY_AGAIN_MS)
    client = await connectByHand(stage)
  }
  if (!client) return null
  try {
    return await work(client)
  } catch {
    return null
  } finally {
    await leave(client)
  }
}

/** What a statement counts, in its column `count`; 0 where the server could not be asked. */
export async function countByHand(stage: Stage, text: string, values: readonly unknown[] = []): Promise<number> {
  const answer = await byHand(stage, (client) => client.query<{ count: number }>(text, [...values]))
  return answer?.rows[0]?.count ?? 0
}
