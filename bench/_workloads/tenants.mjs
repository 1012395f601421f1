import { setTimeout as sleep } from 'node:timers/promises'
import { inputs } from '../_stage.mjs'
import { comeLate, enqueueFlood } from './_late-tenant.mjs'

const SAMPLE_MS = 50
const CALLERS = 16

/**
 * `tenants` tenants with `perTenant` jobs each, and one that floods with `flood` jobs that came first: from the start of the workers until the jobs
 * of all others have run, or for `limitMs`. Meanwhile the most that run of one tenant are looked at, and a tenant comes late with one job.
 */
export async function tenants({ queue, task, ask, settle, quietMeter }) {
  const { tenants: number, perTenant, flood, limitMs } = task
  await enqueueFlood(queue, flood)
  await enqueueOthers(queue, number, perTenant)
  await settle()

  let handled = 0
  let left = number * perTenant
  const { promise: othersDone, resolve } = Promise.withResolvers()
  const late = Promise.withResolvers()
  const finish = await quietMeter()
  await queue.start(({ isFlood, isLate }) => {
    handled++
    if (isLate) late.resolve(performance.now())
    else if (!isFlood && --left === 0) resolve()
  })
  const watch = watchMost(() => ask(queue.running))
  const waited = comeLate(queue, late.promise, limitMs)
  await Promise.race([othersDone, sleep(limitMs)])
  const jobs = handled
  const othersLeft = left
  const cost = await finish()
  return { jobs, ...cost, othersLeft, most: await watch.stop(), lateMs: await waited }
}

async function enqueueOthers(queue, number, perTenant) {
  let next = 0
  const caller = async () => {
    while (next < number) await queue.enqueueFor(`tenant-${next++}`, inputs(perTenant))
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
}

function watchMost(look) {
  let most = 0
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      most = Math.max(most, Number(await look()))
      await sleep(SAMPLE_MS)
    }
  })()
  return {
    async stop() {
      isOver = true
      await watching
      return most
    },
  }
}
