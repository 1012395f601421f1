import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pontual } from '../../../src/index.ts'
import { postgres } from '../../../src/postgres.ts'
import { EffectFile } from './effect-file.ts'
import type { Poison } from './effect-node.ts'
import { EffectProcess } from './effect-process.ts'
import type { Proof } from './proof.ts'

const TIMING = { staleThreshold: 3_000, renewalInterval: 400, staleCheckInterval: 500, pollInterval: 250 }
const KINDS: readonly Poison[] = ['exit', 'kill', 'reject', 'loop', 'memory']
const PLACES = 3
const ATTEMPTS = 3
const BESIDE = 20
const END_MS = 1_800_000

export interface PoisonReport {
  readonly executions: number
  readonly deaths: number
  readonly beside: number
}

/** Handlers that take their process with them, as many of each kind, among others that do not. */
export async function poisonNodes(url: string, ofEachKind: number, proof: Proof): Promise<PoisonReport> {
  await using effects = await EffectFile.create()
  await using app = pontual({ store: postgres(url), logger: 'silent' })
  const pool = new pg.Pool({ connectionString: url, max: PLACES })
  const inputs = Array.from({ length: ofEachKind }, () => KINDS).flatMap((kinds) => kinds.map((how) => ({ how })))
  const retry = { retries: ATTEMPTS - 1, intervals: [0] }
  const poisoned = await app.enqueueMany('poison', inputs, { retry, timeout: 300 })
  const beside = await app.enqueueMany(
    'work',
    Array.from({ length: BESIDE * ofEachKind }, () => ({ ms: 20 })),
  )
  let deaths = 0
  let isOver = false
  const place = async () => {
    while (!isOver) {
      // One at a time, so that none is lost with another.
      const options = { url, effects: effects.path, maxConnections: 2, node: { slots: 1 }, ...TIMING }
      await using node = new EffectProcess(options)
      while (!isOver && !node.hasEnded && !(await isStuck(pool, node))) await Promise.race([node.ended, sleep(300)])
      if (!isOver) deaths += 1
    }
  }
  const places = Array.from({ length: PLACES }, place)
  const ids = [...poisoned, ...beside].map(({ id }) => id)
  const until = performance.now() + END_MS
  for (;;) {
    const { QUEUED, RUNNING } = await app.counts()
    if (QUEUED + RUNNING === 0) break
    if (performance.now() > until) throw new Error(`${QUEUED} wait and ${RUNNING} run after half an hour.`)
    await sleep(300)
  }
  isOver = true
  await Promise.all(places)

  const began = new Map<string, number>()
  for (const { event, executionId } of await effects.read()) {
    if (event === 'began') began.set(executionId, (began.get(executionId) ?? 0) + 1)
  }
  const { rows } = await pool.query<{ id: string; status: string; attempt: number }>(
    'select execution_id as id, status, attempt from pontual.results where execution_id = any($1::uuid[])',
    [ids],
  )
  const ends = new Map(rows.map(({ id, status, attempt }) => [id, `${status} ${attempt}`]))
  for (const [index, { id }] of poisoned.entries()) {
    const told = () => `${inputs[index]?.how}: ${ends.get(id)}, begun ${began.get(id)} times`
    proof.require(ends.get(id) === `FAILED ${ATTEMPTS}` && began.get(id) === ATTEMPTS, told)
  }
  for (const { id } of beside) proof.require(ends.get(id) === 'SUCCESS 1', () => `Beside: ${ends.get(id)}`)
  await pool.end()
  return { executions: poisoned.length, deaths, beside: beside.length }
}

/** A process that neither ends nor lives: its node was taken off the list. */
async function isStuck(pool: pg.Pool, node: EffectProcess): Promise<boolean> {
  if (node.nodeId === '') return false
  const { rowCount } = await pool.query('select from pontual.nodes where id = $1', [node.nodeId])
  return rowCount === 0
}
