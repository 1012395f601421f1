import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemEnv } from '../../../src/clock.ts'
import { silentLogger } from '../../../src/logger.ts'
import { postgres } from '../../../src/postgres.ts'
import { writeLate } from './late-writes.ts'

/** How long it waits to be stopped before it gives up. */
const PATIENCE_MS = 60_000

/**
 * Takes executions, tells which, and waits until it has been stopped for longer than its lease: then it writes whatever a holder may write, and tells what it was
 * answered. And so on, until its input ends.
 */
const { url, queue, leaseMs } = JSON.parse(process.argv[2] ?? '{}') as {
  readonly url: string
  readonly queue: string
  readonly leaseMs: number
}
process.stdin.on('end', () => process.exit()).resume()
const print = (event: string, facts: object = {}) =>
  process.stdout.write(`${JSON.stringify({ at: Date.now(), event, ...facts })}\n`)
const store = await postgres(url, { maxConnections: 2 }).open({ env: systemEnv, logger: silentLogger })
const what = { queues: [queue], jobTypes: ['paused'] }

for (;;) {
  const nodeId = systemEnv.uuid(systemEnv.now())
  await store.nodes.register({ id: nodeId, name: queue, slots: 10, leaseMs, ...what })
  const { executions } = await store.leases.claim({ nodeId, limit: 10, aged: 0, ...what })
  if (executions.length === 0) {
    await store.nodes.remove(nodeId)
    await sleep(20)
    continue
  }
  // It may be stopped the moment it has told.
  const holdsSince = performance.now()
  print('holds')
  await stopped(holdsSince)
  print('wrote', { writes: await writeLate(store, executions) })
}

/** Resolves right after a pause that is longer than the lease. */
async function stopped(since: number): Promise<void> {
  for (let last = since; ; ) {
    await sleep(10)
    const now = performance.now()
    if (now - last > leaseMs) return
    if (now - since > PATIENCE_MS) throw new Error('Nobody stops this process.')
    last = now
  }
}
