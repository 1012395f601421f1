import { setTimeout as sleep } from 'node:timers/promises'

/** For how long is looked whether all that was enqueued runs. */
const LOOKS = 100
const LOOK_MS = 200

/**
 * Callers enqueue one by one while the workers run, each job waits for `jobMs`, until `seconds` have passed. Callers hold back while more than
 * `most` jobs wait or run, so that the rate is one that could go on for ever.
 */
export async function sustained({ queue, task, observer, meter, ask }) {
  const { callers, jobMs, most, warmUpSeconds, seconds } = task
  let enqueued = 0
  let handled = 0
  let isOver = false
  await observer?.query('checkpoint')
  await queue.start(async () => {
    await sleep(jobMs)
    handled++
  })
  const caller = async () => {
    while (!isOver) {
      if (enqueued - handled < most) await queue.enqueueOne({ n: enqueued++ })
      else await sleep(1)
    }
  }
  const calling = Promise.all(Array.from({ length: callers }, caller))
  await sleep(warmUpSeconds * 1000)
  const handledBefore = handled
  const finish = await meter()
  await sleep(seconds * 1000)
  const jobs = handled - handledBefore
  const backlog = enqueued - handled
  const cost = await finish()
  isOver = true
  await calling
  for (let looks = 0; looks < LOOKS && (await ask(queue.isLeft)); looks++) await sleep(LOOK_MS)
  if (handled < enqueued && !(await ask(queue.isLeft)))
    throw new Error(`${enqueued - handled} of ${enqueued} jobs never ran.`)
  return { jobs, ...cost, backlog }
}
