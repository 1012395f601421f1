import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startClaimTimer } from '../_claim-time.mjs'
import { inputs } from '../_stage.mjs'

/**
 * From the start of the workers until the end of the last job is committed. With `waiting` so many jobs more wait behind those that count, with
 * `finished` so many have ended before; with `isSnapshotHeld` another connection reads in one transaction all the time, from before the warm-up.
 */
export async function drain(stage) {
  const { queue, task, settle, quietMeter } = stage
  const { count, warmUp, waiting = 0, isSnapshotHeld = false } = task
  const release = isSnapshotHeld ? await holdSnapshot(stage) : undefined
  if (waiting === 0) await queue.enqueueMany(inputs(warmUp))
  await drainAll(stage, warmUp, waiting)
  await queue.stop()
  if (waiting === 0) await queue.enqueueMany(inputs(count))
  await settle()
  const claimTime = await startClaimTimer(stage)
  const finish = await quietMeter()
  await drainAll(stage, count, waiting)
  const cost = await finish()
  const figures = { jobs: count, ...cost, ...(await claimTime(count)) }
  await queue.stop()
  await checkKept(stage)
  await release?.()
  return figures
}

/** A database to start from: `finished` jobs that have run, and `waiting` ones. */
export async function fill(stage) {
  const { queue, task, settle } = stage
  const { finished = 0, waiting = 0 } = task
  if (queue.fill) {
    await queue.fill(task)
    await settle()
    return { jobs: task.jobs }
  }
  if (finished > 0) {
    await queue.enqueueMany(inputs(finished))
    await settle()
    await drainAll(stage, finished)
    await queue.stop()
  }
  await queue.enqueueMany(inputs(waiting))
  await settle()
  return { jobs: finished + waiting }
}

/** Never more than `atOnce` jobs wait: so many come, and when they have run the next ones. */
export async function refill(stage) {
  const { queue, task } = stage
  const { count, warmUp, atOnce } = task
  let resolve
  let left = 0
  await queue.start(() => {
    if (--left === 0) resolve()
  })
  const serve = async (total) => {
    for (let served = 0; served < total; served += atOnce) {
      const { promise, ...settler } = Promise.withResolvers()
      resolve = settler.resolve
      left = atOnce
      await queue.enqueueMany(inputs(atOnce))
      await promise
    }
  }
  await serve(warmUp)
  const claimTime = await startClaimTimer(stage)
  const finish = await stage.meter()
  await serve(count)
  return { jobs: count, ...(await finish()), ...(await claimTime(count)) }
}

async function drainAll({ queue, ask }, total, waiting = 0) {
  const seen = new Uint8Array(Math.max(total, waiting))
  let left = total
  const { promise, resolve, reject } = Promise.withResolvers()
  await queue.start(({ n }) => {
    if (seen[n]++ > 0) reject(new Error(`Job ${n} has run twice.`))
    if (--left === 0) resolve()
  })
  await promise
  while (waiting === 0 && (await ask(queue.isLeft))) await sleep(1)
}

async function checkKept({ queue, ask, task: { count, warmUp, waiting = 0, finished = 0 } }) {
  if (!queue.kept || waiting > 0) return
  const kept = await ask(queue.kept)
  const expected = finished + warmUp + count
  if (kept !== expected) throw new Error(`${kept} results are kept of ${expected} jobs.`)
}

/** What is deleted from now on cannot be cleaned up, since this transaction may still read it. */
async function holdSnapshot({ place }) {
  const reader = new pg.Client(place.url)
  await reader.connect()
  await reader.query('begin isolation level repeatable read')
  await reader.query('select count(*) from pg_class')
  return () => reader.end()
}
