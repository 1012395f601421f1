import { setTimeout as sleep } from 'node:timers/promises'
import { inputs } from '../_stage.mjs'

/** Cron schedules that are all due at one instant, at least `leadMs` ahead and on a whole `gridMs`: from then until each has run once. */
export async function schedules({ queue, task: { count, leadMs, gridMs, limitMs }, observer, meter }) {
  const dueAt = Math.ceil((Date.now() + leadMs) / gridMs) * gridMs
  await queue.schedule(inputs(count), dueAt)
  const seen = new Set()
  const { promise, resolve } = Promise.withResolvers()
  await queue.start(({ n }) => {
    seen.add(n)
    if (seen.size === count) resolve()
  })
  await observer?.query('checkpoint')
  globalThis.gc()
  if (Date.now() >= dueAt) throw new Error(`${count} schedules are not stored within ${leadMs / 1000} s.`)
  await sleep(dueAt - Date.now())
  const finish = await meter()
  const isOverdue = await Promise.race([promise, sleep(limitMs, true)])
  if (isOverdue)
    return { overdue: `${seen.size.toLocaleString('en-US')} of ${count} have run after ${limitMs / 1000} s` }
  return { jobs: count, ...(await finish()) }
}
