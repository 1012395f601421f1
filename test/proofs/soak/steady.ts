import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { MINUTE_MS } from '../../../src/duration.ts'
import { InvalidInputError } from '../../../src/errors.ts'
import type { Pontual } from '../../../src/index.ts'
import { closing } from './closing.ts'
import { type CrewMember, startCrew } from './crew.ts'
import { order, plain, verbose } from './job-types.ts'
import { judge, type Part, type Surroundings, together, type Verdict } from './part.ts'
import type { ProcessRequest } from './process-messages.ts'
import { pause, repeat } from './repeat.ts'
import { ServiceClient } from './service-client.ts'
import { SteadyLoad, TENANTS } from './steady-load.ts'
import { SteadyWatch } from './steady-watch.ts'
import { StreamReaders } from './stream-readers.ts'

/** So many at once. A third of what a node holds of a batch it takes up itself and forgets, so that many leave room and only few fill it. */
const BATCHES = [2_000, 200]

const MOST_BATCHES = 12

/** A run that is kept takes about 17 KB, so that what is full is told from what is not: one of the small batches leaves a hundred of them with each node. */
const FULL_BYTES = 0.3 * 2 ** 20

/**
 * A node keeps up to a thousand durable runs that wait, also those that went on elsewhere. Until it has as many its memory grows, and that is no leak: so there are
 * durable runs until more of them add nothing.
 */
async function fillCaches(app: Pontual, crew: readonly CrewMember[], tenant: string): Promise<void> {
  for (const size of BATCHES) {
    let before = await retainedBytes(crew)
    for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
      await runOrders(app, size, tenant)
      const after = await retainedBytes(crew)
      if (after.every((bytes, index) => bytes - (before[index] ?? 0) < FULL_BYTES)) break
      before = after
    }
  }
}

async function retainedBytes(crew: readonly CrewMember[]): Promise<number[]> {
  return await Promise.all(crew.map(async (member) => (await member.state()).retainedBytes))
}

async function runOrders(app: Pontual, count: number, tenant: string): Promise<void> {
  const inputs = Array.from({ length: count }, (_, n) => ({ n }))
  for (const { id } of await app.enqueueMany(order, inputs, { tenant })) await app.waitFor(id, { timeout: '10m' })
}

const MIB = 2 ** 20

const TENANT = 'verbose'

/** What one execution may leave behind has an end: its input, its output and its log. */
async function checkCaps(app: Pontual, client: pg.Client): Promise<Verdict> {
  const isRefused = await refuses(() => app.enqueue(plain, { n: 1, text: 'x'.repeat(MIB) } as { n: number }))
  const run = async (input: { logBytes: number; outputBytes: number }) => {
    const { id } = await app.enqueue(verbose, input, { tenant: TENANT })
    return await app.waitFor(id, { timeout: '5m' })
  }
  const tooLarge = await run({ logBytes: 0, outputBytes: 2 * MIB })
  const tooLong = await run({ logBytes: 12 * MIB, outputBytes: 0 })
  const { rows } = await client.query<{ bytes: number }>(
    `select coalesce(sum(octet_length(message) + coalesce(octet_length(fields), 0)), 0)::float8 as bytes
    from pontual.execution_logs
    where execution_id = $1`,
    [tooLong.id],
  )
  const of = { section: 'load', invariants: ['I29'] } as const
  return judge([
    {
      ...of,
      what: 'log that is kept of 12 MiB that were written',
      value: toMib(rows[0]?.bytes ?? 0),
      unit: 'MiB',
      atMost: 10.1,
    },
    {
      ...of,
      what: 'inputs and outputs beyond 1 MiB that were stored',
      value: Number(!isRefused) + Number(tooLarge.status !== 'FAILED'),
      atMost: 0,
    },
  ])
}

async function refuses(act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act()
    return false
  } catch (error) {
    return error instanceof InvalidInputError && error.code === 'payload.too_large'
  }
}

function toMib(bytes: number): number {
  return Number((bytes / MIB).toFixed(2))
}

const SHARE = 1 / 2
const LEAKED_BYTES = 100
const SLOW_READERS = 40
/** How many times as long as it is to last. */
const LONGEST = 3

/**
 * Two nodes and a service under a load of every kind that stays the same: memory and tables are to stay the same too, no connection is to be left over, and
 * nobody's work is to be taken from him, since nothing goes wrong.
 */
export const steady: Part = {
  name: 'steady',
  run: ({ url, minutes, control, say }) =>
    closing(async (atTheEnd) => {
      const forMs = minutes * SHARE * MINUTE_MS
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      atTheEnd(() => client.end())
      const crew = await startCrew(crewOf(url, control))
      atTheEnd(() => crew.stop())
      const service = new ServiceClient(crew.url ?? '')
      const load = new SteadyLoad(url, service)
      atTheEnd(() => load.stop())
      await fillCaches(load.app, crew.members, TENANTS[0] ?? '')
      say('steady: caches are full')
      await load.start()
      const readers = new StreamReaders(load.app, service)
      atTheEnd(() => readers.stop())
      readers.start()

      const slowReaderKib = await costOfSlowReaders(crew.members.at(-1), readers)
      const watch = new SteadyWatch(crew.members, client)
      const abort = new AbortController()
      atTheEnd(async () => abort.abort())
      const retentionMs = Math.min(MINUTE_MS, forMs / 8)
      const loops = [
        repeat(Math.max(1_000, Math.min(10_000, forMs / 90)), abort.signal, () => watch.sample()),
        repeat(retentionMs / 4, abort.signal, () =>
          control === 'table' ? Promise.resolve() : clean(load, retentionMs),
        ),
        repeat(20_000, abort.signal, () => refill(readers)),
        repeat(MINUTE_MS, abort.signal, async () => say(`steady: ${load.enqueued} were asked for`)),
      ]
      const failing = Promise.all([...loops, load.running, readers.running])
      const startedAt = performance.now()
      await Promise.race([lasts(forMs, watch, abort.signal), failing])
      const lastedMs = performance.now() - startedAt
      abort.abort()
      await Promise.all(loops)
      for (const course of watch.courses()) say(`steady: ${course}`)
      const seen = { lastedMs, slowReaderKib, streams: readers.opened }
      return together([await watch.verdict(seen), await checkCaps(load.app, client)])
    }),
}

/** For so long, and on a machine that has much else to do for longer, so that there is something to be said about memory. */
async function lasts(forMs: number, watch: SteadyWatch, signal: AbortSignal): Promise<void> {
  const startedAt = performance.now()
  const tooLong = startedAt + LONGEST * forMs
  await pause(forMs, signal)
  while (!watch.hasEnoughSeen && performance.now() < tooLong && !signal.aborted) await pause(1_000, signal)
}

function crewOf(url: string, control: Surroundings['control']): ProcessRequest[] {
  const leakedBytes = control === 'leak' ? LEAKED_BYTES : 0
  const shared = { url, slots: 20, types: 'steady', leakedBytes } as const
  return [
    { ...shared, name: 'node 1', serves: false },
    { ...shared, name: 'node 2', serves: false },
    { ...shared, name: 'the service', serves: true },
  ]
}

/** Removes what has ended a while ago, and does what every node does once an hour. */
async function clean({ app }: SteadyLoad, retentionMs: number): Promise<void> {
  const { store } = await app.opened()
  await app.purgeExecutions(retentionMs)
  await store.maintain()
}

/** How many kilobytes a service holds more for each client that hardly reads. */
async function costOfSlowReaders(service: CrewMember | undefined, readers: StreamReaders): Promise<number> {
  const before = (await service?.state())?.retainedBytes ?? 0
  await readers.openSlow(SLOW_READERS)
  await sleep(3_000)
  const after = (await service?.state())?.retainedBytes ?? 0
  return (after - before) / 1_024 / Math.max(1, readers.slowCount)
}

/** What a slow one reads is removed some day, and a stream lasts a quarter of an hour at most: then others come. */
async function refill(readers: StreamReaders): Promise<void> {
  if (readers.slowCount < SLOW_READERS / 2) await readers.openSlow(SLOW_READERS - readers.slowCount)
}
