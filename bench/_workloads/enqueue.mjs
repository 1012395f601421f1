import { inputs } from '../_stage.mjs'

/** One by one: each caller waits for its job to be committed before it comes with the next. */
export async function enqueue({ queue, task: { count, warmUp, callers }, quietMeter }) {
  await enqueueAll(queue, warmUp, callers)
  const finish = await quietMeter()
  await enqueueAll(queue, count, callers)
  return { jobs: count, ...(await finish()) }
}

async function enqueueAll(queue, total, callers) {
  let next = 0
  const caller = async () => {
    while (next < total) await queue.enqueueOne({ n: next++ })
  }
  await Promise.all(Array.from({ length: callers }, caller))
}

/** Each caller has its share in an array. */
export async function bulk({ queue, task: { count, warmUp, callers }, quietMeter }) {
  await queue.enqueueMany(inputs(warmUp))
  const share = Math.ceil(count / callers)
  const many = inputs(count)
  const shares = Array.from({ length: callers }, (_, index) => many.slice(index * share, (index + 1) * share))
  const finish = await quietMeter()
  await Promise.all(shares.map((each) => queue.enqueueMany(each)))
  return { jobs: count, ...(await finish()) }
}
