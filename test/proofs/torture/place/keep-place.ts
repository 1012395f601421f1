import { rmSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Place } from './place.ts'
import { serverProcesses, signalAll } from './processes.ts'
import { unmountVolume } from './volume.ts'

/**
 * Stays beside a process that has a place for a server. When our input ends, however that process came to its end, the server is killed, what was mounted is
 * unmounted, and the folder is removed. Argument: the place as JSON.
 */
const { folder, volume, data } = JSON.parse(process.argv[2] ?? '') as Place
const KILL_TRIES = 100

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
for await (const _ of process.stdin);

for (let tries = 0; tries < KILL_TRIES; tries++) {
  const left = serverProcesses(data)
  if (left.length === 0) break
  signalAll(left, 'SIGKILL')
  await sleep(50)
}
unmountVolume(volume)
rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
