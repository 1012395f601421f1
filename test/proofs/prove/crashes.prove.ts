import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, it } from 'vitest'
import { job, type Pontual, pontual, StoreUnavailableError } from '../../../src/index.ts'
import { postgres } from '../../../src/postgres.ts'
import { Chance } from '../../harness/chance.ts'
import { startServer } from '../../harness/postgres/server.ts'
import { countOf } from './count-of.ts'
import { Proof } from './proof.ts'
import { connectPatiently, crashServer } from './server-crash.ts'

const SINGLE_PRODUCERS = 6

const BATCH_PRODUCERS = 2

const BATCH = 20

/** How long a producer rests at the most: enough for one node to keep up, so that crashes meet what runs and ends too. */
const SINGLE_REST_MS = 10

const BATCH_REST_MS = 60

const TIMING = { staleThreshold: 5_000, renewalInterval: 1_000, staleCheckInterval: 1_000, pollInterval: 250 }

const CHUNK = 50_000

const work = job('work', { retry: { retries: 1_000, intervals: [50] }, run: () => null })

interface CrashReport {
  readonly crashes: number
  /** Of these, how many met an enqueue under way. */
  readonly met: number
  readonly acknowledged: number
  readonly refused: number
  readonly ended: number
}

/** Producers enqueue to a server with fsync on that crashes every second or so, until there were as many crashes and enqueues as asked for, or the time is over. */
async function crashUnderLoad(
  asked: { readonly crashes: number; readonly enqueues: number; readonly forMs: number },
  proof: Proof,
): Promise<CrashReport> {
  const server = await startServer({ version: '18', isDurable: true })
  const until = performance.now() + asked.forMs
  const acknowledged: string[] = []
  let underWay = 0
  let refused = 0
  let crashes = 0
  let met = 0
  const isOver = () => performance.now() > until || (crashes >= asked.crashes && acknowledged.length >= asked.enqueues)
  const apps = Array.from({ length: 2 }, () =>
    pontual({ store: postgres(server.url, { deadline: 3_000 }), jobs: [work], logger: 'silent', ...TIMING }),
  )
  try {
    const [node, producer] = apps as [Pontual, Pontual]
    await node.start()
    const rests = new Chance(5, 'rests')
    const produce = async (enqueue: () => Promise<readonly string[]>, restMs: number) => {
      while (!isOver()) {
        underWay += 1
        try {
          acknowledged.push(...(await enqueue()))
        } catch (error) {
          // What is not acknowledged may be lost; it must say so as a store that is away.
          if (error instanceof StoreUnavailableError) refused += 1
          else proof.violate(`An enqueue was refused with ${String(error)}.`)
        } finally {
          underWay -= 1
        }
        await sleep(rests.between(0, restMs))
      }
    }
    const one = async () => [(await producer.enqueue(work)).id]
    const inputs = Array.from({ length: BATCH }, () => undefined)
    const many = async () => (await producer.enqueueMany(work, inputs)).map(({ id }) => id)
    const chance = new Chance(5)
    const crash = async () => {
      while (!isOver()) {
        await sleep(chance.between(200, 1_500))
        if (crashes < asked.crashes) {
          await crashServer(server.url)
          crashes += 1
          if (underWay > 0) met += 1
        }
      }
    }
    await Promise.all([
      crash(),
      ...Array.from({ length: SINGLE_PRODUCERS }, () => produce(one, SINGLE_REST_MS)),
      ...Array.from({ length: BATCH_PRODUCERS }, () => produce(many, BATCH_REST_MS)),
    ])
    const ended = await judgeStored(server.url, acknowledged, proof)
    return { crashes, met, acknowledged: acknowledged.length, refused, ended }
  } finally {
    await Promise.all(apps.map((app) => app.stop()))
    await server.stop()
  }
}

/**
 * Where each that was acknowledged is, all at one instant. Each table is read once: after a crash the server knows nothing of how full they are, and
 * might look for every single one by reading all of `ready`.
 */
const FIND_ACKNOWLEDGED = `
create temporary table found as
select
  acknowledged.id,
  executions.id is not null as is_known,
  coalesce(held.places, 0) as places,
  coalesce(held.has_ended, false) as has_ended
from acknowledged
left join pontual.executions on executions.id = acknowledged.id
left join (
  select
    execution_id,
    count(*)::int as places,
    bool_or(has_ended) as has_ended
  from (
    select execution_id, false from pontual.ready
    union all
    select execution_id, false from pontual.delayed
    union all
    select execution_id, false from pontual.leases
    union all
    select execution_id, status = 'SUCCESS' from pontual.results
  ) as place (execution_id, has_ended)
  group by execution_id
) as held on held.execution_id = acknowledged.id`

/** Each that was acknowledged is there, in exactly one place. Gives how many have ended. */
async function judgeStored(url: string, acknowledged: readonly string[], proof: Proof): Promise<number> {
  proof.require(new Set(acknowledged).size === acknowledged.length, () => 'An execution was acknowledged twice.')
  const client = await connectPatiently(url)
  await client.query('create temporary table acknowledged (id uuid not null)')
  for (let from = 0; from < acknowledged.length; from += CHUNK) {
    const ids = acknowledged.slice(from, from + CHUNK)
    await client.query('insert into acknowledged select * from unnest($1::uuid[])', [ids])
  }
  await client.query(
    'analyze acknowledged, pontual.executions, pontual.ready, pontual.delayed, pontual.leases, pontual.results',
  )
  await client.query(FIND_ACKNOWLEDGED)
  const { rows: astray } = await client.query<{ id: string; isKnown: boolean; places: number }>(
    'select id, is_known as "isKnown", places from found where not is_known or places <> 1',
  )
  for (const { id, isKnown, places } of astray) {
    proof.violate(`${id} was acknowledged; known: ${isKnown}, in ${places} places.`)
  }
  const { rows: counts } = await client.query<{ found: number; ended: number }>(
    'select count(*)::int as found, count(*) filter (where has_ended)::int as ended from found',
  )
  await client.end()
  const { found = 0, ended = 0 } = counts[0] ?? {}
  proof.require(found === acknowledged.length, () => `Of ${acknowledged.length} only ${found} were looked for.`)
  return ended
}

const CRASHES = 1_000
const ENQUEUES = 200_000
/** It ends by then, with as many crashes as there were. */
const FOR_MS = Number(process.env['PONTUAL_PROVE_MINUTES'] ?? 50) * 60_000

describe('a server that crashes', () => {
  const proof = new Proof('crashes')
  afterAll(() => proof.keep())

  it('I8: under load loses nothing that was acknowledged', () =>
    proof.part(async () => {
      const asked = { crashes: countOf('CRASHES', CRASHES), enqueues: countOf('ENQUEUES', ENQUEUES), forMs: FOR_MS }
      const report = await crashUnderLoad(asked, proof)
      const about = (what: string) => ({ section: 'faults', invariants: ['I8'], what }) as const
      proof.count(about('crashes of a PostgreSQL server with fsync on, under load'), report.crashes, CRASHES)
      proof.note(about('of these that met enqueues under way'), report.met)
      proof.require(report.met * 2 > report.crashes, () => `Only ${report.met} of ${report.crashes} met an enqueue.`)
      proof.count(
        { ...about('enqueues acknowledged in between, none lost'), section: 'lost' },
        report.acknowledged,
        ENQUEUES,
      )
      proof.note({ ...about('of these that had run by then'), section: 'lost' }, report.ended)
      proof.note(about('enqueues whose callers were told that the store is away'), report.refused)
    }))
})
