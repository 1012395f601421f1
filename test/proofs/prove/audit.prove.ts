import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, describe, it } from 'vitest'
import { StoreUnavailableError } from '../../../src/index.ts'
import type { Job } from '../../../src/job/job.ts'
import { postgres } from '../../../src/postgres.ts'
import { verifyAudit } from '../../../src/service/audit/verify.ts'
import type { ClaimedExecution } from '../../../src/store/leases.ts'
import type { EngineStore } from '../../../src/store/store.ts'
import { Chance } from '../../harness/chance.ts'
import { createDatabase } from '../../harness/postgres/database.ts'
import { startServer } from '../../harness/postgres/server.ts'
import { Bench, failure, success } from '../../suites/conformance/bench.ts'
import { countOf } from './count-of.ts'
import { Proof } from './proof.ts'
import { connectPatiently, crashServer } from './server-crash.ts'
import { tamper } from './tamperings.ts'

const WRITERS = 16

const JOBS = 8

const TENANT = 'acme'

const ROUND = 20_000

const AT_ONCE = 5_000

const LONGEST_BATCH = 120

const END_MS = 500

interface AuditReport {
  readonly rows: number
  readonly ends: number
  readonly edits: number
  readonly terminated: number
  readonly crashes: number
}

/**
 * Sixteen writers of one tenant end executions, cancel them and edit jobs, while the server ends their connections at whatever statement they are, and crashes now
 * and then. Whoever does not know whether it was done asks again.
 */
async function auditChanges(rows: number, proof: Proof): Promise<AuditReport> {
  const server = await startServer({ version: '18', isDurable: true })
  const bench = new Bench(() => postgres(server.url, { maxConnections: 1, deadline: '60s' }))
  try {
    await bench.open()
    await bench.store.audit.enable()
    const stores: EngineStore[] = []
    while (stores.length < WRITERS) stores.push(await bench.openAnother())
    const jobs = Array.from({ length: JOBS }, () => bench.job({ tenant: TENANT, onFault: 'continue' }))
    await bench.put(...jobs)
    const trouble = new Trouble(server.url)
    const troubling = trouble.make()
    let written = 0
    let edits = 0
    while (written < rows) {
      const held = await untilKnown(() => hold(bench, jobs, Math.min(ROUND, rows - written)))
      const writers = stores.map((store, index) => {
        const own = held.filter((_, place) => place % WRITERS === index)
        return write(bench, store, own, jobs, new Chance(written + index))
      })
      edits += (await Promise.all(writers)).reduce((sum, each) => sum + each, 0)
      written += held.length
    }
    trouble.isOver = true
    await troubling
    const ends = await judgeStored(server.url, edits, proof)
    const verdict = await verifyAudit(bench.store.audit, TENANT)
    proof.require(verdict.isIntact && verdict.entries === ends + edits, () => JSON.stringify(verdict))
    return { rows: ends + edits, ends, edits, terminated: trouble.terminated, crashes: trouble.crashes }
  } finally {
    await bench.close()
    await server.stop()
  }
}

/** Executions that a node holds. Called again after a failure it takes what it has made before. */
async function hold(bench: Bench, jobs: readonly Job[], count: number): Promise<ClaimedExecution[]> {
  const nodeId = await bench.node({ slots: count, leaseMs: 1e9 })
  const held: ClaimedExecution[] = []
  const claim = async () => held.push(...(await bench.claim(nodeId, { limit: AT_ONCE })))
  for (let asked = 0; asked < count; asked += AT_ONCE) {
    const size = Math.min(AT_ONCE, count - asked)
    const made = Array.from({ length: size }, (_, index) =>
      bench.execution({ tenant: TENANT, jobId: jobs[index % jobs.length]?.id ?? null }),
    )
    await untilKnown(() => bench.store.executions.enqueue(made))
  }
  while (held.length < count) await untilKnown(claim)
  return held
}

/** Ends all of them in batches, one in twenty by a cancellation, and edits jobs in between. Gives how many edits there were. */
async function write(
  bench: Bench,
  store: EngineStore,
  held: readonly ClaimedExecution[],
  jobs: readonly Job[],
  chance: Chance,
): Promise<number> {
  let edits = 0
  for (let at = 0; at < held.length; ) {
    const batch = held.slice(at, at + chance.between(1, LONGEST_BATCH))
    at += batch.length
    if (chance.fraction() < 0.05) {
      const requests = batch.map(({ executionId: id }) => ({ id, reason: null, by: 'ann' }))
      await untilKnown(() => store.executions.cancel(requests))
    } else {
      const ends = batch.map((each) => {
        const status = chance.pick(['SUCCESS', 'SUCCESS', 'FAILED', 'TIMEOUT'] as const)
        return success(each, { status, error: status === 'SUCCESS' ? null : failure })
      })
      await untilKnown(() => store.leases.finish(ends))
    }
    if (chance.fraction() < 0.1) edits += await edit(bench, store, chance.pick(jobs).id)
  }
  return edits
}

/** 1 where it was stored. Where nobody knows, what stands there tells: each edit leaves its own mark. */
async function edit(bench: Bench, store: EngineStore, jobId: string): Promise<number> {
  const mark = bench.uuid()
  const find = () => untilKnown(async () => (await store.jobs.find([jobId]))[0])
  for (;;) {
    const job = await find()
    if (!job) throw new Error(`There is no job ${jobId}.`)
    const changed = { ...job, statusReason: mark, version: job.version + 1 }
    const draft = { operation: 'JOBS_JOB_UPDATE', userId: mark, jobId, executionId: null } as const
    const audit = { ...draft, oldValues: { version: job.version }, newValues: { version: changed.version } }
    try {
      const [answer] = await store.jobs.put([{ job: changed, expectedVersion: job.version, ledger: [], audit }])
      return answer === 'stored' ? 1 : 0
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error
      const now = await find()
      if (now?.statusReason === mark) return 1
      // Somebody else may have edited it since, or it was never stored: the audit log of this mark tells which.
      const [entry] = await untilKnown(() => store.audit.list({ tenant: TENANT, userId: mark, limit: 1 }))
      if (entry) return 1
    }
  }
}

async function untilKnown<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error
      await sleep(20)
    }
  }
}

/** Ends connections at random, and now and then all of them by a crash. */
class Trouble {
  readonly #url: string
  isOver = false
  terminated = 0
  crashes = 0

  constructor(url: string) {
    this.#url = url
  }

  async make(): Promise<void> {
    for (let turn = 1; !this.isOver; turn += 1) {
      await sleep(END_MS)
      if (turn % 60 === 0) {
        await crashServer(this.#url)
        this.crashes += 1
        continue
      }
      const client = await connectPatiently(this.#url)
      const { rowCount } = await client.query(`
        select pg_terminate_backend(pid)
        from pg_stat_activity
        where datname = current_database() and state = 'active' and pid <> pg_backend_pid()
        order by random()
        limit 2`)
      this.terminated += rowCount ?? 0
      await client.end()
    }
  }
}

/** Each end has exactly one entry, each entry an end or an edit, and versions tell how many edits there were. Gives how many ends there are. */
async function judgeStored(url: string, edits: number, proof: Proof): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<Record<'ends' | 'untold' | 'told' | 'edited' | 'versions', number>>(`
    with
      entry as materialized (select execution_id, operation from pontual.audit_entries)
    select
      (select count(*)::int from pontual.results) as ends,
      (select count(*)::int from pontual.results where not exists (select from entry where entry.execution_id = results.execution_id)) as untold,
      (select count(*)::int from entry where operation <> 'JOBS_JOB_UPDATE') as told,
      (select count(*)::int from entry where operation = 'JOBS_JOB_UPDATE') as edited,
      (select sum(version - 1)::int from pontual.jobs) as versions`)
  await client.end()
  const { ends = 0, untold, told, edited, versions } = rows[0] ?? {}
  const says = () => `${JSON.stringify(rows[0])}, ${edits} edits`
  proof.require(untold === 0 && told === ends, says)
  proof.require(edited === edits && versions === edits, says)
  return ends
}

const ROWS = 1_000_000
const TAMPERINGS = 1_000

describe('the audit log', () => {
  const proof = new Proof('audit')
  afterAll(() => proof.keep())

  it('I24: tells of every change once, in an unbroken chain, whatever happens to connections and server', () =>
    proof.part(async () => {
      const report = await auditChanges(countOf('AUDIT_ROWS', ROWS), proof)
      const about = (what: string) => ({ section: 'load', invariants: ['I24'], what }) as const
      proof.count(
        about('entries by sixteen writers of one tenant, one for each change, the chain unbroken'),
        report.rows,
        ROWS,
      )
      proof.note(about('of these ends of executions'), report.ends)
      proof.note(about('of these edits of jobs'), report.edits)
      proof.note({ ...about('connections ended in a statement of theirs'), section: 'faults' }, report.terminated)
      proof.note({ ...about('crashes of the server meanwhile'), section: 'faults' }, report.crashes)
      proof.gap('I24: a crash at each statement boundary in turn; connections and the server end at random statements.')
    }))

  it('I25: shows every change to it, and takes none from who may only write', () =>
    proof.part(async () => {
      const database = await createDatabase()
      const { tamperings, refused } = await tamper(database, countOf('TAMPERINGS', TAMPERINGS), proof)
      await database.drop()
      const about = (what: string) => ({ section: 'inputs', invariants: ['I25'], what }) as const
      proof.count(about('chains tampered with by a superuser, all found'), tamperings, TAMPERINGS)
      proof.note(about('statements of a plain role against the log, all refused with 42501'), refused)
    }))
})
