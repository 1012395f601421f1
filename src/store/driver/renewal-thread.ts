import { parentPort, workerData } from 'node:worker_threads'
import type { Client } from 'pg'
import { systemEnv } from '../../clock.ts'
import { RenewalLoop } from '../renewal-loop.ts'
import { answerWithin } from './deadline.ts'
import { cancelRequest } from './pg-cancel.ts'
import { clientConfigOf } from './pg-config.ts'
import { reasonOf } from './pg-errors.ts'
import { loadPg } from './pg-module.ts'
import type { Question, RenewalCommand, RenewalNews, RenewalOrder } from './renewal-messages.ts'

/** A try is short, so that another connection is tried while there is time. */
const SHORTEST_TRY_MS = 500
const LONGEST_TRY_MS = 5_000

const order = workerData as RenewalOrder
const config = clientConfigOf(order.connection)
const tryMs = Math.min(Math.max(order.intervalMs / 2, SHORTEST_TRY_MS), LONGEST_TRY_MS)
const pg = await loadPg()
let client: Client | null = null

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
    if (failed) void cancelRequest(pg, config, failed, systemEnv).finally(() => failed.connection.stream.destroy())
    throw error
  }
}

async function connect(): Promise<Client> {
  const fresh = new pg.Client({ ...config, connectionTimeoutMillis: tryMs })
  // Known from the start: a try that ends before it is connected takes it along.
  client = fresh
  fresh.on('error', () => {
    if (client === fresh) client = null
  })
  return await fresh.connect()
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
  else void stop()
})

function tell(news: RenewalNews): void {
  parentPort?.postMessage(news)
}

async function stop(): Promise<void> {
  parentPort?.close()
  await loop.stop()
  await client?.end()
}
