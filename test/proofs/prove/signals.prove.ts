import pg from 'pg'
import { afterAll, describe, it } from 'vitest'
import { PontualError } from '../../../src/errors.ts'
import { job, type Pontual, pontual } from '../../../src/index.ts'
import { postgres } from '../../../src/postgres.ts'
import { Chance } from '../../harness/chance.ts'
import { createDatabase } from '../../harness/postgres/database.ts'
import { countOf } from './count-of.ts'
import { Proof } from './proof.ts'

const SENDERS = 4

const SIGNALS_OF_SENDER = 25

const RUNS_AT_ONCE = 60

const NODES = 2

/** Signals that are sent twice, at once or one after the other. */
const DOUBLED = 0.2

/** Senders who go on after the run may have ended. */
const STRAGGLERS = 2

interface Message {
  readonly sender: number
  /** From 1 on; 0 says that the sender has no more. */
  readonly number: number
}

/** Takes what comes until all senders have said that they are done. */
const listener = job('listener', {
  durable: true,
  run: async (_input: undefined, ctx) => {
    const heard: Message[] = []
    for (let done = 0; done < SENDERS; ) {
      const message = await ctx.signal<Message>('message')
      heard.push(message)
      if (message.number === 0) done += 1
    }
    return heard
  },
})

interface SignalReport {
  sent: number
  doubled: number
  runs: number
  /** Signals that came when the run had ended, and were refused. */
  refused: number
  /** Signals that came after the last one that was waited for, and before the end was recorded. */
  accepted: number
}

/** Senders, each in its own order and some twice, to runs on two nodes; stragglers send until they are refused. */
async function sendSignals(url: string, signals: number, proof: Proof): Promise<SignalReport> {
  const report: SignalReport = { sent: 0, doubled: 0, runs: 0, refused: 0, accepted: 0 }
  const chance = new Chance(11)
  const setup = { jobs: [listener], logger: 'silent', node: { slots: RUNS_AT_ONCE }, pollInterval: 250 } as const
  const nodes = Array.from({ length: NODES }, () => pontual({ ...setup, store: postgres(url, { maxConnections: 6 }) }))
  await Promise.all(nodes.map((node) => node.start()))
  await using sender = pontual({ store: postgres(url), jobs: [listener], logger: 'silent' })
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  const customer = async () => {
    while (report.sent < signals) await serve(sender, pool, report, chance, proof)
  }
  await Promise.all(Array.from({ length: RUNS_AT_ONCE }, customer))
  await pool.end()
  await Promise.all(nodes.map((node) => node.stop()))
  return report
}

async function serve(app: Pontual, pool: pg.Pool, report: SignalReport, chance: Chance, proof: Proof): Promise<void> {
  const { id } = await app.enqueue(listener)
  report.runs += 1
  const senders = Array.from({ length: SENDERS }, async (_, from) => {
    for (let index = 1; index <= SIGNALS_OF_SENDER; index += 1) {
      const number = index === SIGNALS_OF_SENDER ? 0 : index
      const send = () => app.signal(id, 'message', { sender: from, number }, { idempotencyKey: `${from} ${number}` })
      const isDoubled = chance.fraction() < DOUBLED
      await (isDoubled ? Promise.all([send(), send()]) : send())
      report.sent += 1
      if (isDoubled) report.doubled += 1
    }
  })
  // They begin when the others are about to be done, so that the run ends among their signals.
  const late = { accepted: 0, refused: 0 }
  const stragglers = Array.from({ length: STRAGGLERS }, async (_, straggler) => {
    await Promise.all(senders)
    for (let number = 0; ; number += 1) {
      report.sent += 1
      if (!(await trySignal(app, id, `straggler ${straggler} ${number}`))) break
      late.accepted += 1
    }
    late.refused += 1
  })
  const { output, status } = await app.waitFor(id, { timeout: '60s' })
  await Promise.all(stragglers)
  proof.require(status === 'SUCCESS', () => `Run ${id} is ${status}.`)
  judgeHeard(id, output as readonly Message[], proof)
  await judgeStored(pool, id, late, proof)
  report.accepted += late.accepted
  report.refused += late.refused
}

/** False where it was refused since the run has ended. */
async function trySignal(app: Pontual, id: string, idempotencyKey: string): Promise<boolean> {
  try {
    await app.signal(id, 'late', null, { idempotencyKey })
    return true
  } catch (error) {
    if (error instanceof PontualError && error.code === 'execution.status_conflict') return false
    throw error
  }
}

/** Each once, and those of a sender in his order. */
function judgeHeard(id: string, heard: readonly Message[], proof: Proof): void {
  const expected = Array.from({ length: SIGNALS_OF_SENDER }, (_, index) => (index + 1) % SIGNALS_OF_SENDER).join()
  for (let sender = 0; sender < SENDERS; sender += 1) {
    const numbers = heard.flatMap((each) => (each.sender === sender ? [each.number] : [])).join()
    proof.require(numbers === expected, () => `Run ${id} heard of sender ${sender}: ${numbers}.`)
  }
}

/** What was accepted is stored, and what was refused is not. */
async function judgeStored(
  pool: pg.Pool,
  id: string,
  { accepted }: { readonly accepted: number },
  proof: Proof,
): Promise<void> {
  const { rows } = await pool.query<{ late: number; others: number }>(
    `select
      (count(*) filter (where name = 'late'))::int as late,
      (count(*) filter (where name <> 'late'))::int as others
    from pontual.signals
    where execution_id = $1`,
    [id],
  )
  const [stored] = rows
  const others = SENDERS * SIGNALS_OF_SENDER
  proof.require(
    stored?.late === accepted && stored.others === others,
    () => `Of run ${id} are stored ${JSON.stringify(stored)}; ${accepted} late ones were accepted.`,
  )
}

const ASKED = 100_000

describe('a signal', () => {
  const proof = new Proof('signals')
  afterAll(() => proof.keep())

  it('I16: is taken once and in the order of its sender, and refused where the run has ended', () =>
    proof.part(async () => {
      const database = await createDatabase()
      const report = await sendSignals(database.url, countOf('SIGNALS', ASKED), proof)
      await database.drop()
      const about = (what: string) => ({ section: 'load', invariants: ['I16'], what }) as const
      proof.count(about('signals sent to durable runs on two nodes'), report.sent, ASKED)
      proof.note(about('durable runs that took them'), report.runs)
      proof.note(
        { ...about('signals sent twice under one key, half of them at once'), section: 'faults' },
        report.doubled,
      )
      proof.note(
        { ...about('signals that raced the end of their run, and were stored'), section: 'faults' },
        report.accepted,
      )
      proof.note(
        { ...about('signals that raced the end of their run, and were refused'), section: 'faults' },
        report.refused,
      )
    }))
})
