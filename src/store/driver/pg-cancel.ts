import type { Client, Connection } from 'pg'
import type { Env } from '../../clock.ts'
import type { PrimaryClient } from './pg-client.ts'
import type { Pg } from './pg-module.ts'

/** What `pg` has and its types leave out. */
interface Wire extends Connection {
  readonly ssl: unknown
  readonly sslNegotiation?: string
  connect(portOrPath: number | string, host?: string): void
  requestSsl(): void
  cancel(processId: number, secretKey: number): void
}

interface Backend {
  readonly processID?: number | null
  readonly secretKey?: number | null
}

/** Nobody waits for it for longer. */
const LONGEST_MS = 1_000

/**
 * Asks the server to drop what a client is waiting for. A backend that waits for a lock does not look at its socket: given up without a word
 * it would stay for as long as the lock is held, and then do what nobody wants any more. Never fails, and does not take long.
 */
export async function cancelRequest(pg: Pg, client: Client, env: Pick<Env, 'after'>): Promise<void> {
  const { processID, secretKey } = client as Client & Backend
  if (processID == null || secretKey == null) return
  // A client that is never connected: it knows the way to the same server, TLS included.
  const messenger = new pg.Client((client as PrimaryClient).config)
  const wire = messenger.connection as Wire
  const send = () => wire.cancel(processID, secretKey)
  await new Promise<void>((resolve) => {
    const callOff = env.after(LONGEST_MS, resolve)
    const finish = () => {
      callOff()
      resolve()
    }
    // The server hangs up when it has passed the request on.
    wire.on('error', finish).on('end', finish).on('sslconnect', send)
    wire.on('connect', () => {
      if (!wire.ssl) send()
      else if (wire.sslNegotiation !== 'direct') wire.requestSsl()
    })
    const { host, port } = messenger
    if (host.startsWith('/')) wire.connect(`${host}/.s.PGSQL.${port}`)
    else wire.connect(port, host)
  })
  wire.stream.destroy()
}
