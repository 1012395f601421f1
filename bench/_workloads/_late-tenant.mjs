import { setTimeout as sleep } from 'node:timers/promises'
import { inputs } from '../_stage.mjs'

const FLOODING = 'flooding'
const CHUNK = 10_000
const LATE_AFTER_MS = 500

/** The jobs of the tenant that floods, which say so. */
export async function enqueueFlood(queue, total) {
  for (let start = 0; start < total; start += CHUNK) {
    const chunk = inputs(Math.min(CHUNK, total - start)).map((input) => ({ ...input, isFlood: true }))
    await queue.enqueueFor(FLOODING, chunk)
  }
}

/** How long a tenant that comes late waits for its first job, whose input says so; the limit where it has not run by then. */
export async function comeLate(queue, startedAt, limitMs) {
  await sleep(LATE_AFTER_MS)
  const at = performance.now()
  await queue.enqueueFor('late', [{ n: 0, isLate: true }])
  return (await Promise.race([startedAt, sleep(limitMs, at + limitMs, { ref: false })])) - at
}
