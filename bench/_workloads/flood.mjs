import { comeLate, enqueueFlood } from './_late-tenant.mjs'

/** One tenant has `flood` jobs waiting, and the workers are at them, when another one comes: how long its first job waits. */
export async function flood({ queue, task: { flood: number, limitMs }, settle, quietMeter }) {
  await enqueueFlood(queue, number)
  await settle()
  const late = Promise.withResolvers()
  let handled = 0
  const finish = await quietMeter()
  await queue.start(({ isLate }) => {
    handled++
    if (isLate) late.resolve(performance.now())
  })
  const lateMs = await comeLate(queue, late.promise, limitMs)
  return { jobs: handled, ...(await finish()), lateMs }
}
