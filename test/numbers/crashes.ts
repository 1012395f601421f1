import { setTimeout as sleep } from 'node:timers/promises'
import { job, type Pontual, pontual, StoreUnavailableError } from '../../src/index.ts'
import { postgres } from '../../src/postgres.ts'
import { Chance } from '../chance.ts'
import { startServer } from '../postgres/server.ts'
import type { Proof } from './proof.ts'
import { connectPatiently, crashServer } from './server-crash.ts'

const SINGLE_PRODUCERS = 6
const BATCH_PRODUCERS = 2
const BATCH = 50
const TIMING = { staleThreshold: 5_000, renewalInterval: 1_000, staleCheckInterval: 1_000, pollInterval: 250 }
const CHUNK = 20_000

const work = job('work', { retry: { retries: 1_000, intervals: [50] }, run: () => null })

export interface CrashReport {
  readonly crashes: number
  readonly acknowledged: number
  readonly refused: number
  readonly ended: number
}

/** Producers enqueue to a server with fsync on that crashes every second or so, until there were as many crashes and enqueues as asked for, or the time is over. */
export async function crashUnderLoad(
  asked: { readonly crashes: number; readonly enqueues: number; readonly forMs: number },
  proof: Proof,
): Promise<CrashReport> {
  const server = await startServer({ version: '18', isDurable: true })
  const until = performance.now() + asked.forMs
  const acknowledged: string[] = []
  let refused = 0
  let crashes = 0
  const isOver = () => performance.now() > until || (crashes >= asked.crashes && acknowledged.length >= asked.enqueues)
  try {
    const apps = Array.from({ length: 2 }, () =>
      pontual({ store: postgres(server.url, { deadline: 3_000 }), jobs: [work], logger: 'silent', ...TIMING }),
    )
    const [node, producer] = apps as [Pontual, Pontual]
    await node.start()
    const produce = async (enqueue: () => Promise<readonly string[]>) => {
      while (!isOver()) {
        try {
          acknowledged.push(...(await enqueue()))
        } catch (error) {
          // What is not acknowledged may be lost; it must say so as a store that is away.
          if (!(error instanceof StoreUnavailableError)) throw error
          refused += 1
          await sleep(20)
        }
      }
    }
    const one = async () => [(await producer.enqueue(work)).id]
    const inputs = Array.from({ length: BATCH }, () => undefined)
    const many = async () => (await producer.enqueueMany(work, inputs)).map(({ id }) => id)
    const producers = [
      ...Array.from({ length: SINGLE_PRODUCERS }, () => produce(one)),
      ...Array.from({ length: BATCH_PRODUCERS }, () => produce(many)),
    ]
    const chance = new Chance(5)
    while (!isOver()) {
      await sleep(chance.between(200, 1_500))
      if (crashes < asked.crashes) {
        await crashServer(server.url)
        crashes += 1
      }
    }
    await Promise.all(producers)
    const ended = await judgeStored(server.url, acknowledged, proof)
    await Promise.all(apps.map((app) => app.stop()))
    return { crashes, acknowledged: acknowledged.length, refused, ended }
  } finally {
    await server.stop()
  }
}

/** Each that was acknowledged is there, in exactly one place. Gives how many have ended. */
async function judgeStored(url: string, acknowledged: readonly string[], proof: Proof): Promise<number> {
  proof.require(new Set(acknowledged).size === acknowledged.length, () => 'An execution was acknowledged twice.')
  const client = await connectPatiently(url)
  let ended = 0
  for (let from = 0; from < acknowledged.length; from += CHUNK) {
    const { rows } = await client.query<{ id: string; isKnown: boolean; places: number; hasEnded: boolean }>(
      `select
        asked.id,
        exists (select from pontual.executions where executions.id = asked.id) as "isKnown",
        (select count(*) from pontual.ready where execution_id = asked.id)::int
          + (select count(*) from pontual.delayed where execution_id = asked.id)::int
          + (select count(*) from pontual.leases where execution_id = asked.id)::int
          + (select count(*) from pontual.results where execution_id = asked.id)::int as places,
        exists (select from pontual.results where execution_id = asked.id and status = 'SUCCESS') as "hasEnded"
      from unnest($1::uuid[]) as asked (id)`,
      [acknowledged.slice(from, from + CHUNK)],
    )
    for (const { id, isKnown, places, hasEnded } of rows) {
      proof.require(isKnown && places === 1, () => `${id} was acknowledged; known: ${isKnown}, in ${places} places.`)
      if (hasEnded) ended += 1
    }
  }
  await client.end()
  return ended
}
