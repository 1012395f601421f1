import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { contestant } from './_contestants.mjs'
import { startMeter } from './_cost.mjs'

// One run of one contestant in a process of its own: an empty database, a warm-up, then what is measured.
const WORKLOADS = { enqueue, bulk, drain }
const { name, workload, count, warmUp, callers, url, serverPid } = JSON.parse(process.argv[2])

const observer = new pg.Client(url)
await observer.connect()
const queue = await contestant(name).load()
await queue.setup(url)
const cost = await WORKLOADS[workload]()
process.send({ cost }, () => process.exit())

/** One by one: each caller waits for its job to be committed before it comes with the next. */
async function enqueue() {
  await enqueueAll(warmUp)
  const finish = await quiet()
  await enqueueAll(count)
  return finish()
}

async function enqueueAll(total) {
  let next = 0
  const caller = async () => {
    while (next < total) await queue.enqueueOne({ n: next++ })
  }
  await Promise.all(Array.from({ length: callers }, caller))
}

/** Each caller has its share in an array. */
async function bulk() {
  await queue.enqueueMany(inputs(warmUp))
  const share = Math.ceil(count / callers)
  const many = inputs(count)
  const shares = Array.from({ length: callers }, (_, index) => many.slice(index * share, (index + 1) * share))
  const finish = await quiet()
  await Promise.all(shares.map((each) => queue.enqueueMany(each)))
  return finish()
}

/** From the start of the workers until the end of the last job is committed. */
async function drain() {
  await queue.enqueueMany(inputs(warmUp))
  await drainAll(warmUp)
  await queue.stop()
  await queue.enqueueMany(inputs(count))
  await observer.query('vacuum analyze')
  const finish = await quiet()
  await drainAll(count)
  const measured = await finish()
  await queue.stop()
  await checkKept()
  return measured
}

async function drainAll(total) {
  const seen = new Uint8Array(total)
  let left = total
  const { promise, resolve, reject } = Promise.withResolvers()
  await queue.start(({ n }) => {
    if (seen[n]++ > 0) reject(new Error(`Job ${n} has run twice.`))
    if (--left === 0) resolve()
  })
  await promise
  while (await ask(queue.isLeft)) await sleep(1)
}

async function checkKept() {
  if (!queue.kept) return
  const kept = await ask(queue.kept)
  if (kept !== warmUp + count) throw new Error(`${kept} results are kept of ${warmUp + count} jobs.`)
}

async function ask(sql) {
  const { rows } = await observer.query(sql)
  return rows[0].answer
}

/** Neither a checkpoint nor a collection of garbage of what came before falls into the measurement. */
async function quiet() {
  await observer.query('checkpoint')
  globalThis.gc()
  return startMeter(observer, serverPid)
}

function inputs(total) {
  return Array.from({ length: total }, (_, n) => ({ n }))
}
