import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicMs, quantile } from '../_measure.mjs'
import { launchSatellite } from '../_satellite.mjs'

/** From just before another process calls enqueue until the handler starts here; one job after the other, beside a background of `perSecond`. */
export async function pickup(stage) {
  const { queue, task, meter } = stage
  const { samples, unmeasured, everyMs, perSecond = 0 } = task
  const producer = await launchSatellite(stage)
  const delays = []
  let background = 0
  const { promise, resolve } = Promise.withResolvers()
  await queue.start(({ n, at }) => {
    if (n < 0) background++
    else if (n >= unmeasured) delays.push(monotonicMs() - at)
    if (delays.length === samples) resolve()
  })
  const finish = await meter()
  await producer.ask('produce', { count: unmeasured + samples, everyMs, perSecond })
  await Promise.race([promise, noneLeft(stage)])
  const cost = await finish()
  if (delays.length < samples)
    throw new Error(`${samples - delays.length} of ${samples} jobs never ran, and none is left.`)
  return {
    jobs: unmeasured + samples + background,
    ...cost,
    p50: quantile(delays, 0.5),
    p99: quantile(delays, 0.99),
    background: (background / cost.ms) * 1000,
  }
}

/** Until no job is left for a while: what has not run by then is lost. */
async function noneLeft({ queue, ask }) {
  for (let looks = 0; looks < 5; ) {
    await sleep(200)
    looks = (await ask(queue.isLeft)) ? 0 : looks + 1
  }
}
