import process from 'node:process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { pontual } from '../../../../src/index.ts'
import { postgres } from '../../../../src/postgres.ts'
import { Chance } from '../../../harness/chance.ts'
import { HistoryWriter } from '../history/writer.ts'
import { Asking } from './asking.ts'
import { Client } from './client.ts'
import { HttpClient } from './http-client.ts'
import { torturedTypes } from './job-types.ts'
import { optionsOf } from './told-options.ts'
import { DEADLINE_MS, DEFAULT_RETRY, LIMITS, SCHEDULES, TENANTS } from './workload.ts'

/**
 * Those who ask, in a process of their own: each has connections of his own. They begin at once and go on until they are told to finish; then no schedule fires
 * any more, and they are done when everything that was asked for is known.
 */
const { urls, serviceUrl, name, folder, seed, rate, seconds } = optionsOf<{
  readonly urls: readonly string[]
  readonly serviceUrl: string
  readonly name: string
  readonly folder: string
  readonly seed: number
  /** Executions in a second, by all together. */
  readonly rate: number
  /** How long they are going to ask, about. */
  readonly seconds: number
}>()

const LOOK_MS = 100
/** What waits for answers is not joined by any number of others. */
const MOST_UNDER_WAY = 300
/** A machine that cannot keep up is asked for less: what is to be seen is what it does, not how long it takes. */
const QUEUE_EVERY_MS = 1_000
const MANY_QUEUED = 2_000
const SHARE_OF_THE_BUSY = 0.2
const LIMIT_EVERY_MS = 2_500
const DISTURB_EVERY_MS = 2_000
const FIRST_POISON_MS = 5_000
const POISON_EVERY_MS = 25_000
/** Each of its attempts costs a lease: what comes later would still be at it when all else has ended. */
const LAST_POISON_MS = 15_000

const history = new HistoryWriter(folder, name)
const clients = urls.map((url, index) => {
  const own = `${name}-${index + 1}`
  const chance = new Chance(seed, own)
  const app = pontual({
    store: postgres(url, { maxConnections: 4, deadline: DEADLINE_MS }),
    application: 'torture',
    jobs: torturedTypes(history, own),
    defaultRetry: DEFAULT_RETRY,
    logger: 'silent',
  })
  const parts = { app, http: new HttpClient(serviceUrl), asking: new Asking(history, own, chance), chance }
  return new Client(own, parts)
})
const [first] = clients
if (!first) throw new Error('There is nobody to ask.')
const chance = new Chance(seed, name)

const WEIGHTS: readonly (readonly [number, (client: Client) => Promise<unknown>])[] = [
  [68, (client) => client.short()],
  [10, (client) => client.overHttp()],
  [8, (client) => client.failing()],
  [5, (client) => client.later()],
  [3, (client) => client.order()],
  [3, (client) => client.again()],
  [2, (client) => client.cancelled()],
  [1, (client) => client.long()],
]
const TOTAL = WEIGHTS.reduce((sum, [weight]) => sum + weight, 0)

let isOver = false
/** Others go on asking: what they see to stays as it is. */
let isLeaving = false
const underWay = new Set<Promise<unknown>>()

process.stdin.on('end', () => process.exit(isOver ? 0 : 1))
createInterface({ input: process.stdin }).once('line', (line) => {
  isOver = true
  isLeaving = line === 'leave'
})

for (const { name: tenant, limit } of TENANTS) await first.limit(tenant, limit)
await first.furnish()
for (const schedule of SCHEDULES) await first.schedule(schedule.name)
process.stdout.write('{"isReady":true}\n')

let share = 1
const loops = [
  repeat(QUEUE_EVERY_MS, async () => {
    const queued = await first.queued()
    if (queued !== null) share = queued > MANY_QUEUED ? SHARE_OF_THE_BUSY : 1
  }),
  limitAgain(),
  repeat(DISTURB_EVERY_MS, () => chance.pick(clients).disturb()),
  poison(),
]
for (let owed = 0; !isOver; ) {
  owed += (share * rate * LOOK_MS) / 1_000
  for (; owed >= 1 && underWay.size < MOST_UNDER_WAY; owed -= 1) begin(drawn()(chance.pick(clients)))
  // What could not be asked for meanwhile is not made up for.
  owed = Math.min(owed, 1)
  await sleep(LOOK_MS)
}

await Promise.all(loops)
await Promise.all(underWay)
if (isLeaving) process.exit(0)
for (const { name: job, tenant } of SCHEDULES) await first.pause(job, tenant)
for (const { name: tenant, limit } of TENANTS) await first.limit(tenant, limit)
process.exit(0)

function begin(work: Promise<unknown>): void {
  underWay.add(work)
  void work.finally(() => underWay.delete(work))
}

function drawn(): (client: Client) => Promise<unknown> {
  let place = chance.fraction() * TOTAL
  for (const [weight, act] of WEIGHTS) {
    place -= weight
    if (place < 0) return act
  }
  return (client) => client.short()
}

async function limitAgain(): Promise<void> {
  for (let round = 1; !isOver; round += 1) {
    await sleep(LIMIT_EVERY_MS)
    for (const [tenant, limits] of Object.entries(LIMITS))
      await first?.limit(tenant, limits[round % limits.length] ?? 1)
  }
}

async function poison(): Promise<void> {
  const begunAt = performance.now()
  const last = Math.max(FIRST_POISON_MS, seconds * 1_000 - LAST_POISON_MS)
  for (let after = FIRST_POISON_MS; after <= last && !isOver; after += POISON_EVERY_MS) {
    while (!isOver && performance.now() < begunAt + after) await sleep(LOOK_MS)
    if (!isOver) await chance.pick(clients).poison()
  }
}

async function repeat(everyMs: number, act: () => Promise<void>): Promise<void> {
  while (!isOver) {
    await sleep(everyMs)
    await act()
  }
}
