import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, describe, it } from 'vitest'
import { systemEnv } from '../../../src/clock.ts'
import { silentLogger } from '../../../src/logger.ts'
import { postgres } from '../../../src/postgres.ts'
import type { NewExecution } from '../../../src/store/executions.ts'
import type { EngineStore } from '../../../src/store/store.ts'
import { createDatabase } from '../../harness/postgres/database.ts'
import { success } from '../../suites/conformance/bench.ts'
import { NodeInProcess } from '../torture/node-in-process.ts'
import { countOf } from './count-of.ts'
import type { LateWrites } from './late-writes.ts'
import { Proof } from './proof.ts'

const PROGRAM = fileURLToPath(new URL('./late-writer-process.ts', import.meta.url))

const PROCESSES = 8

const HELD = 4

const LEASE_MS = 1_000

interface PauseReport {
  pauses: number
  readonly sent: Map<string, number>
}

/** Processes that hold executions are stopped for a lease and a second, and go on once another one has what they held. */
async function pauseHolders(url: string, pauses: number, proof: Proof): Promise<PauseReport> {
  const store = await postgres(url).open({ env: systemEnv, logger: silentLogger })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const report: PauseReport = { pauses: 0, sent: new Map() }
  await Promise.all(
    Array.from({ length: PROCESSES }, async (_, index) => {
      const queue = `paused-${index}`
      await using process = new NodeInProcess({ url, queue, leaseMs: LEASE_MS }, PROGRAM)
      for (let turn = 1; report.pauses < pauses; turn += 1) {
        const isDurable = turn % 2 === 0
        await pauseOnce(store, process, { queue, turn, isDurable }, report, proof)
      }
    }),
  )
  await judgeStored(client, proof)
  await client.end()
  await store.close()
  return report
}

interface Turn {
  readonly queue: string
  readonly turn: number
  readonly isDurable: boolean
}

async function pauseOnce(
  store: EngineStore,
  process: NodeInProcess,
  { queue, turn, isDurable }: Turn,
  report: PauseReport,
  proof: Proof,
): Promise<void> {
  await store.executions.enqueue(Array.from({ length: HELD }, () => execution(queue, isDurable)))
  await process.until((each) => each.of('holds').length === turn)
  process.signal('SIGSTOP')
  await sleep(LEASE_MS + 1_000)
  await store.leases.recover({ silentForMs: null, limit: 1_000 })
  const nodeId = systemEnv.uuid(systemEnv.now())
  const what = { queues: [queue], jobTypes: ['paused'] }
  await store.nodes.register({ id: nodeId, name: 'successor', slots: HELD, leaseMs: 600_000, ...what })
  const { executions } = await store.leases.claim({ nodeId, limit: HELD, aged: 0, ...what })
  proof.require(executions.length === HELD, () => `${executions.length} of ${HELD} could be taken.`)
  // Of half of them the successor is done by then, of the others it holds the lease.
  const ended = executions.slice(0, HELD / 2)
  const ends = (these: typeof executions) => these.map((each) => success(each, { output: '"right"' }))
  await store.leases.finish(ends(ended))
  process.signal('SIGCONT')
  await process.until((each) => each.of('wrote').length === turn)
  const { writes } = process.of('wrote').at(-1) as unknown as { readonly writes: LateWrites }
  for (const [kind, { sent, taken }] of Object.entries(writes)) {
    report.sent.set(kind, (report.sent.get(kind) ?? 0) + sent)
    proof.require(taken === 0, () => `${taken} of ${sent} late writes of kind ${kind} were taken.`)
  }
  const accepted = await store.leases.finish(ends(executions.slice(HELD / 2)))
  proof.require(accepted.length === HELD / 2, () => 'Who holds it now could not record its end.')
  await store.nodes.remove(nodeId)
  report.pauses += 1
}

function execution(queue: string, isDurable: boolean): NewExecution {
  const createdAt = systemEnv.now()
  const body = {
    id: systemEnv.uuid(createdAt),
    tenant: 'acme',
    jobId: null,
    jobType: 'paused',
    queue,
    priority: 'MEDIUM',
    origin: 'enqueue',
    payload: null,
    scheduledAt: null,
    maxAttempts: 3,
    idempotencyKey: null,
    options: isDurable ? { durable: true } : null,
    createdAt,
  } as const
  return { body, runAt: null }
}

/** Nothing of what came late is to be found. */
async function judgeStored(client: pg.Client, proof: Proof): Promise<void> {
  const { rows } = await client.query<Record<string, number>>(`
    select
      (select count(*)::int from pontual.results where output is distinct from '"right"' or status <> 'SUCCESS') as results,
      (select count(*)::int from pontual.execution_logs) as logs,
      (select count(*)::int from pontual.history_entries) as histories,
      (select count(*)::int from pontual.checkpoints) as checkpoints,
      (select count(*)::int from pontual.executions join pontual.lanes on lanes.id = executions.lane where job_type = 'child') as children,
      (select count(*)::int from pontual.results where progress is not null) as progress,
      (select count(*)::int from pontual.leases) as leases`)
  for (const [what, count] of Object.entries(rows[0] ?? {}))
    proof.require(count === 0, () => `${count} ${what} are left.`)
}

const ASKED = 300
const LATE_WRITES = 250

describe('a process that was stopped past its lease', () => {
  const proof = new Proof('pauses')
  afterAll(() => proof.keep())

  it('I6: writes nothing any more, whatever it tries', () =>
    proof.part(async () => {
      const database = await createDatabase()
      const { pauses, sent } = await pauseHolders(database.url, countOf('PAUSES', ASKED), proof)
      await database.drop()
      const about = (what: string) => ({ section: 'faults', invariants: ['I6'], what }) as const
      proof.count(about('SIGSTOP of a holder for its lease and a second, then SIGCONT'), pauses, ASKED)
      const all = [...sent.values()].reduce((sum, each) => sum + each, 0)
      proof.count(about('late writes sent, none taken'), all, LATE_WRITES)
      for (const [kind, each] of sent) proof.note(about(`of these of the kind ${kind}`), each)
    }))
})
