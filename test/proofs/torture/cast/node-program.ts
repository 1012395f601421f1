import './wrong-clock.ts'
import process from 'node:process'
import { pontual } from '../../../../src/index.ts'
import { postgres } from '../../../../src/postgres.ts'
import { HistoryWriter } from '../history/writer.ts'
import { torturedTypes } from './job-types.ts'
import { NOT_STARTED } from './program.ts'
import { optionsOf } from './told-options.ts'
import { DEADLINE_MS, DEFAULT_RETRY, GRACE_MS, LEASE_MS, POLL_MS, RENEWAL_MS, STALE_CHECK_MS } from './workload.ts'

/** A node in a process of its own: runs whatever there is until it is stopped, or killed. */
const { url, name, folder, slots } = optionsOf<{
  readonly url: string
  readonly name: string
  readonly folder: string
  readonly slots: number
}>()

const app = pontual({
  store: postgres(url, { maxConnections: 4, deadline: DEADLINE_MS }),
  application: 'torture',
  jobs: torturedTypes(new HistoryWriter(folder, name), name),
  node: { name, slots },
  staleThreshold: LEASE_MS,
  staleCheckInterval: STALE_CHECK_MS,
  renewalInterval: RENEWAL_MS,
  pollInterval: POLL_MS,
  shutdownGrace: GRACE_MS,
  defaultRetry: DEFAULT_RETRY,
  logger: 'silent',
})
process.on('SIGTERM', () => {
  // What does not hear that it is to end must not keep the process: as a supervisor would see to.
  void app.stop().then(() => process.exit(0))
})
process.stdin.on('end', () => process.exit(0)).resume()
try {
  await app.start()
} catch (error) {
  process.stderr.write(String(error))
  process.exit(NOT_STARTED)
}
process.stdout.write('{"isReady":true}\n')
