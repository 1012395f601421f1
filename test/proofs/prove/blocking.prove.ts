import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, describe, it } from 'vitest'
import { pontual } from '../../../src/index.ts'
import { postgres } from '../../../src/postgres.ts'
import { createDatabase } from '../../harness/postgres/database.ts'
import { countOf } from './count-of.ts'
import { EffectFile } from './effect-file.ts'
import { EffectProcess } from './effect-process.ts'
import { Proof } from './proof.ts'

const LEASE_MS = 6_000

const BLOCK_MS = 0.9 * LEASE_MS

const TIMING = { staleThreshold: LEASE_MS, renewalInterval: 1_000, staleCheckInterval: 500, pollInterval: 250 }

/** As many as the machine has cores for, so that these are saturated. */
const BLOCKED = 2

const QUEUED = 20

interface BlockReport {
  readonly blocks: number
  readonly beside: number
}

/** Nodes whose handlers block the event loop for nearly as long as the lease, one after the other, beside one that would take their work. */
async function blockLoops(url: string, forMs: number, proof: Proof): Promise<BlockReport> {
  await using effects = await EffectFile.create()
  await using app = pontual({ store: postgres(url), logger: 'silent' })
  const setup = { url, effects: effects.path, maxConnections: 2, ...TIMING }
  await using watcher = await EffectProcess.start({ ...setup, node: { name: 'watcher', slots: 4, queues: ['beside'] } })
  const blocked = await Promise.all(
    Array.from({ length: BLOCKED }, (_, index) =>
      EffectProcess.start({ ...setup, node: { name: `blocked-${index}`, slots: 2 } }),
    ),
  )
  const until = performance.now() + forMs
  while (performance.now() < until) {
    const waiting = (await app.executions({ statuses: ['QUEUED'], limit: QUEUED })).length
    const missing = Array.from({ length: QUEUED - waiting }, () => ({ ms: BLOCK_MS }))
    if (missing.length > 0) await app.enqueueMany('block', missing)
    await app.enqueueMany('work', [{ ms: 20 }, { ms: 200 }], { queue: 'beside' })
    await sleep(1_000)
  }
  const lines = await effects.read()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ execution: string; status: string }>(
    'select execution_id as execution, status from pontual.attempts',
  )
  await client.end()
  for (const { execution, status } of rows)
    proof.violate(`An attempt of ${execution} is ${status}, although its node lived.`)
  for (const node of [watcher, ...blocked]) {
    proof.require(
      node.of('node.lost').length === 0,
      () => `${node.of('node.lost').length} times a node was lost that lived.`,
    )
  }
  for (const node of blocked) await node[Symbol.asyncDispose]()
  const ended = (jobType: string) => lines.filter((line) => line.event === 'ended' && line.jobType === jobType).length
  return { blocks: ended('block'), beside: ended('work') }
}

const BLOCKS = 300
/** Long enough for as many. */
const MINUTES = 15

describe('a node that lives', () => {
  const proof = new Proof('blocking')
  afterAll(() => proof.keep())

  it('I11: keeps its work, though handlers block the event loop for nine tenths of the lease on a saturated machine', () =>
    proof.part(async () => {
      const database = await createDatabase()
      const { blocks, beside } = await blockLoops(database.url, countOf('MINUTES', MINUTES) * 60_000, proof)
      await database.drop()
      const about = (what: string) => ({ section: 'load', invariants: ['I11'], what }) as const
      proof.count(about('handlers that blocked the event loop for nine tenths of the lease, none lost'), blocks, BLOCKS)
      proof.note(about('executions beside them, none lost'), beside)
      proof.gap('I11: a day of it; this takes a quarter of an hour.')
    }))
})
