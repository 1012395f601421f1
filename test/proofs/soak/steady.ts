import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { MINUTE_MS } from '../../../src/duration.ts'
import { checkCaps } from './caps.ts'
import { closing } from './closing.ts'
import { type CrewMember, startCrew } from './crew.ts'
import { fillCaches } from './fill-caches.ts'
import { type Part, type Surroundings, together } from './part.ts'
import type { ProcessRequest } from './process-messages.ts'
import { pause, repeat } from './repeat.ts'
import { ServiceClient } from './service-client.ts'
import { SteadyLoad, TENANTS } from './steady-load.ts'
import { SteadyWatch } from './steady-watch.ts'
import { StreamReaders } from './stream-readers.ts'

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
