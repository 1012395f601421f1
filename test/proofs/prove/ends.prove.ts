import pg from 'pg'
import { afterAll, describe, it } from 'vitest'
import { postgres } from '../../../src/postgres.ts'
import type { ClaimedExecution } from '../../../src/store/leases.ts'
import type { EngineStore } from '../../../src/store/store.ts'
import { Chance } from '../../harness/chance.ts'
import { createDatabase } from '../../harness/postgres/database.ts'
import { Bench, failure, LEASE_MS, success } from '../../suites/conformance/bench.ts'
import { countOf } from './count-of.ts'
import { Proof } from './proof.ts'

const ROWS = 400

const LONGEST_BATCH = 12

const LATE_OUTPUT = '"late"'

/** Who races for the end of an execution. */
const RACERS = ['complete', 'timeOut', 'cancel', 'rescue'] as const

type Racer = (typeof RACERS)[number]

/** All orders in which they set out. */
const ORDERS = permutations(RACERS)

/** Completion and timeout come from the same holder, of whom the first end stands. */
const WINNERS = ['holder', 'canceller', 'rescuer'] as const

type Winner = (typeof WINNERS)[number]

const FITTING: Readonly<Record<Winner, readonly string[]>> = {
  holder: ['SUCCESS', 'TIMEOUT'],
  canceller: ['CANCELLED'],
  rescuer: ['FAILED'],
}

/** What each of them was told about each execution. */
class Answers {
  readonly heldEnds = new Set<string>()
  readonly cancelled = new Set<string>()
  readonly rescued = new Set<string>()
  readonly buried = new Set<string>()
}

interface RaceReport {
  readonly races: number
  /** Who has ended how many. */
  readonly won: Readonly<Record<Winner, number>>
}

/** Completion, timeout, cancellation and recovery race for the same executions, row by row, each over a connection of its own. */
async function raceForEnds(url: string, races: number, proof: Proof): Promise<RaceReport> {
  const bench = new Bench(() => postgres(url, { maxConnections: 1 }))
  const client = new pg.Client({ connectionString: url })
  const chance = new Chance(7)
  const won = { holder: 0, canceller: 0, rescuer: 0 }
  try {
    await client.connect()
    await bench.open()
    await bench.store.audit.enable()
    const racers: EngineStore[] = []
    while (racers.length < RACERS.length) racers.push(await bench.openAnother())
    const job = bench.job({ onFault: 'continue' })
    await bench.put(job)
    let done = 0
    for (let round = 0; done < races; round += 1, done += ROWS) {
      // Ends of a job are told in the audit log, which lets one of its writers in at a time: every other round is without.
      const jobId = round % 2 === 0 ? job.id : null
      const held = await hold(bench, jobId)
      const answers = await race(racers, held, ORDERS[round % ORDERS.length] ?? RACERS, chance)
      const statuses = await statusesOf(client, held)
      for (const each of held) judge(each, answers, statuses, won, proof)
      await writeLate(bench.store, held, statuses, client, proof)
    }
    await judgeAll(client, done, proof)
    return { races: done, won }
  } finally {
    await bench.close()
    await client.end()
  }
}

/** Executions of a node whose lease is over. */
async function hold(bench: Bench, jobId: string | null): Promise<readonly ClaimedExecution[]> {
  const executions = Array.from({ length: ROWS }, (_, index) =>
    bench.execution({ jobId, maxAttempts: 1 + (index % 2) }),
  )
  await bench.store.executions.enqueue(executions)
  const nodeId = await bench.node({ slots: ROWS })
  const held: ClaimedExecution[] = []
  while (held.length < ROWS) held.push(...(await bench.claim(nodeId, { limit: ROWS })))
  bench.advance(LEASE_MS + 1)
  return held
}

async function race(
  [completer, timer, canceller, rescuer]: readonly EngineStore[],
  held: readonly ClaimedExecution[],
  order: readonly Racer[],
  chance: Chance,
): Promise<Answers> {
  const answers = new Answers()
  let under = RACERS.length - 1
  const inBatches = async (act: (batch: readonly ClaimedExecution[]) => Promise<void>) => {
    for (let at = 0; at < held.length; ) {
      const size = chance.between(1, LONGEST_BATCH)
      await act(held.slice(at, at + size))
      at += size
    }
    under -= 1
  }
  const acts: Record<Racer, () => Promise<void>> = {
    complete: () =>
      inBatches(async (batch) => {
        for (const id of (await completer?.leases.finish(batch.map((each) => success(each)))) ?? [])
          answers.heldEnds.add(id)
      }),
    timeOut: () =>
      inBatches(async (batch) => {
        const ends = batch.map((each) => success(each, { status: 'TIMEOUT', error: failure }))
        for (const id of (await timer?.leases.finish(ends)) ?? []) answers.heldEnds.add(id)
      }),
    cancel: () =>
      inBatches(async (batch) => {
        const requests = batch.map(({ executionId: id }) => ({ id, reason: 'race' }))
        const results = (await canceller?.executions.cancel(requests)) ?? []
        for (const [index, { id }] of requests.entries()) if (results[index] === 'cancelled') answers.cancelled.add(id)
      }),
    rescue: async () => {
      while (under > 0) {
        const limit = chance.between(1, LONGEST_BATCH)
        for (const { executionId, hasEnded } of (await rescuer?.leases.recover({ silentForMs: null, limit })) ?? []) {
          if (hasEnded) answers.buried.add(executionId)
          else answers.rescued.add(executionId)
        }
      }
    },
  }
  await Promise.all(order.map((racer) => acts[racer]()))
  return answers
}

/** Each has ended by exactly one of them, and as he said. */
function judge(
  { executionId: id }: ClaimedExecution,
  { heldEnds, cancelled, rescued, buried }: Answers,
  statuses: ReadonlyMap<string, string>,
  won: Record<Winner, number>,
  proof: Proof,
): void {
  const claims = { holder: heldEnds.has(id), canceller: cancelled.has(id), rescuer: buried.has(id) }
  const ended = WINNERS.filter((each) => claims[each])
  const status = statuses.get(id) ?? 'none'
  const told = () =>
    `${id} is ${status}; ended by ${ended.join(' and ') || 'nobody'}${rescued.has(id) ? ', rescued' : ''}`
  const [winner] = ended
  proof.require(ended.length === 1, told)
  // What was rescued is nobody's: only a cancellation can end it.
  proof.require(!rescued.has(id) || winner === 'canceller', told)
  if (!winner) return
  won[winner] += 1
  proof.require(FITTING[winner].includes(status), told)
}

/** What comes afterwards changes nothing. */
async function writeLate(
  store: EngineStore,
  held: readonly ClaimedExecution[],
  before: ReadonlyMap<string, string>,
  client: pg.Client,
  proof: Proof,
): Promise<void> {
  await store.leases.finish(held.map((each) => success(each, { output: LATE_OUTPUT })))
  await store.leases.retry(held.map((each) => ({ ...each, status: 'FAILED', error: failure, delayMs: 0 })))
  await store.leases.release(held)
  const answers = await store.executions.cancel(held.map(({ executionId: id }) => ({ id, reason: 'late' })))
  proof.require(
    answers.every((answer) => answer === 'final'),
    () => `A late cancel was answered ${[...new Set(answers)].join()}`,
  )
  const after = await statusesOf(client, held)
  for (const [id, status] of before) {
    proof.require(after.get(id) === status, () => `${id} was ${status}, and is ${after.get(id)}`)
  }
}

async function statusesOf(client: pg.Client, held: readonly ClaimedExecution[]): Promise<Map<string, string>> {
  const { rows } = await client.query<{ id: string; status: string }>(
    'select execution_id as id, status from pontual.results where execution_id = any($1::uuid[])',
    [held.map(({ executionId }) => executionId)],
  )
  return new Map(rows.map(({ id, status }) => [id, status]))
}

/** In the whole database each has one end, none of them late, nothing is left, and the audit log tells of each of a job once. */
async function judgeAll(client: pg.Client, races: number, proof: Proof): Promise<void> {
  const { rows } = await client.query<Record<'ends' | 'open' | 'late' | 'untold' | 'twice', number>>(`
    select
      (select count(*)::int from pontual.results) as ends,
      (select count(*)::int from pontual.results where output = '${LATE_OUTPUT}') as late,
      (select count(*)::int from pontual.ready) + (select count(*)::int from pontual.leases) + (select count(*)::int from pontual.delayed) as open,
      (
        select count(*)::int
        from pontual.executions
        where job_id is not null
          and not exists (select from pontual.audit_entries as entry where entry.execution_id = executions.id)
      ) as untold,
      (
        select count(*)::int
        from (select from pontual.audit_entries where execution_id is not null group by execution_id having count(*) > 1) as doubles
      ) as twice`)
  const [found] = rows
  const expected = { ends: races, late: 0, open: 0, untold: 0, twice: 0 }
  proof.require(JSON.stringify({ ...expected, ...found }) === JSON.stringify(expected), () => JSON.stringify(found))
}

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]]
  return items.flatMap((item) => permutations(items.filter((each) => each !== item)).map((rest) => [item, ...rest]))
}

const ASKED = 100_000

describe('an end', () => {
  const proof = new Proof('ends')
  afterAll(() => proof.keep())

  it('I7: is one and final, whoever races for it, in all 24 orders', () =>
    proof.part(async () => {
      const database = await createDatabase()
      const { races, won } = await raceForEnds(database.url, countOf('RACES', ASKED), proof)
      await database.drop()
      const invariants = ['I7']
      const what = 'races of completion, timeout, cancel and rescue for one execution, over four connections'
      proof.count({ section: 'faults', invariants, what }, races, ASKED)
      for (const [winner, ends] of Object.entries(won)) {
        proof.note({ section: 'faults', invariants, what: `of these won by the ${winner}` }, ends)
        proof.require(ends > 0, () => `The ${winner} never won: they do not race.`)
      }
    }))
})
