import process from 'node:process'
import { parentPort, workerData } from 'node:worker_threads'
import type { Client } from 'pg'
import { systemEnv } from '../../clock.ts'
import { RenewalLoop } from '../renewal-loop.ts'
import { answerWithin } from './deadline.ts'
import { cancelRequest } from './pg-cancel.ts'
import type { PgConnection } from './pg-connection.ts'
import { reasonOf } from './pg-errors.ts'
import { loadPg } from './pg-module.ts'
import { PgServers } from './pg-servers.ts'
import type { Question, RenewalCommand, RenewalNews, RenewalOrder } from './renewal-messages.ts'

/** A try is short, so that another connection is tried while there is time. */
const SHORTEST_TRY_MS = 500
const LONGEST_TRY_MS = 5_000

const order = workerData as RenewalOrder
const tryMs = Math.min(Math.max(order.intervalMs / 2, SHORTEST_TRY_MS), LONGEST_TRY_MS)
// Without a top-level await, so that the build can make one text of this program.
const loading = loadPg().then((pg) => ({
  pg,
  servers: new PgServers(pg, order.asksPassword ? askingPassword(order.connection) : order.connection),
}))
let client: Client | null = null
let onPassword: (password: string | null) => void = () => {}

/** Whether there was a row. Nothing is prepared for one statement every few seconds, so that a pooler may stand between. */
async function ask({ statement, values }: Question): Promise<boolean> {
  const answer = async () => {
    const { rows } = await (client ?? (await connect())).query(statement.text, [...values])
    return rows.length > 0
  }
  try {
    return await answerWithin(systemEnv, tryMs, answer(), () => new Error(`No answer within ${tryMs} ms.`))
  } catch (error) {
    const failed = client
    client = null
    if (failed) void cancel(failed)
    throw error
  }
}

async function cancel(failed: Client): Promise<void> {
  try {
    const { pg } = await loading
    await cancelRequest(pg, failed, systemEnv)
  } finally {
    failed.connection.stream.destroy()
  }
}

async function connect(): Promise<Client> {
  const { servers } = await loading
  let tried: Client | null = null
  const connected = await servers.connect((fresh) => {
    if (tried !== null && client !== tried) throw new Error('The try is over.')
    tried = fresh
    // Known from the start: a try that ends before it is connected takes it along.
    client = fresh
  }, tryMs)
  connected.on('error', () => {
    if (client === connected) client = null
  })
  return connected
}

/** The main thread owns the function. While its event loop is blocked only a new connection has to wait. */
function askingPassword(connection: string | PgConnection): PgConnection {
  const password = () =>
    new Promise<string>((resolve, reject) => {
      onPassword = (given) => (given === null ? reject(new Error('The password function failed.')) : resolve(given))
      tell({ kind: 'password' })
    })
  return { ...(typeof connection === 'string' ? { connectionString: connection } : connection), password }
}

let hasRenewed = false

async function renew(): Promise<boolean> {
  const isListed = await ask(order.renew)
  if (isListed && !hasRenewed) {
    hasRenewed = true
    tell({ kind: 'renewed' })
  }
  return isListed
}

const lease = { renew, isListed: () => ask(order.look) }
const loop = new RenewalLoop(systemEnv, lease, {
  intervalMs: order.intervalMs,
  onLost: (reason) => tell({ kind: 'lost', reason }),
  onFailed: (error) => tell({ kind: 'failed', reason: reasonOf(error) }),
  onRecovered: () => tell({ kind: 'renewed' }),
})
// To start a thread takes a while.
loop.renewNow()

parentPort?.on('message', (command: RenewalCommand) => {
  if (command.kind === 'allow') loop.allowUntil(command.inMs)
  else if (command.kind === 'leave') systemEnv.after(command.inMs, () => void leave(command.leaseMs))
  else if (command.kind === 'password') onPassword(command.password)
  else void stop()
})

function tell(news: RenewalNews): void {
  parentPort?.postMessage(news)
}

/** Announces the exit of a node whose event loop is blocked. If this fails, the lease ends later, as after a crash. */
async function leave(leaseMs: number): Promise<void> {
  await loop.stop()
  await ask({ ...order.leave, values: [...order.leave.values, leaseMs] }).catch(() => {})
}

async function stop(): Promise<void> {
  await loop.stop()
  await client?.end()
  // Not every runtime lets a thread close its port.
  process.exit(0)
}
