import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** A backend that is killed takes all others with it: the server drops its memory, as in an immediate shutdown, and recovers from its log. */
export async function crashServer(url: string): Promise<void> {
  const client = await connectPatiently(url)
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const pid = rows[0]?.pid
  if (pid === undefined) throw new Error('The server does not say which process it is.')
  const over = new Promise<void>((resolve) => client.once('end', () => resolve()))
  process.kill(pid, 'SIGKILL')
  await over
}

/** While it recovers from a crash the server refuses. */
export async function connectPatiently(url: string): Promise<pg.Client> {
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      return client
    } catch {
      await sleep(30)
    }
  }
}
