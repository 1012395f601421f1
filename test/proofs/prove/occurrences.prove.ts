import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, describe, it } from 'vitest'
import { HOUR_MS } from '../../../src/duration.ts'
import { type MisfirePolicyName, type Pontual, pontual, simple } from '../../../src/index.ts'
import { postgres } from '../../../src/postgres.ts'
import { Chance } from '../../harness/chance.ts'
import { createDatabase } from '../../harness/postgres/database.ts'
import { findPgBouncer, startPgBouncer } from '../../harness/postgres/pgbouncer.ts'
import { countOf } from './count-of.ts'
import { EffectFile } from './effect-file.ts'
import type { EffectLine } from './effect-line.ts'
import { EffectProcess } from './effect-process.ts'
import { jumpClocks } from './jumping-clocks.ts'
import { Proof } from './proof.ts'

/** A job that fires every so many milliseconds from an instant on. */
interface Due {
  readonly jobId: string
  readonly name: string
  readonly startAt: number
  readonly intervalMs: number
  /** Whether it counts anew from the instant at which it makes up for what it has missed, as `fireNow` does: less than an interval is then left out, in which nothing was due. */
  readonly isCountedAnew: boolean
}

const FIRED = `
  select scheduled_at_ms as "from", scheduled_at_ms as "to", 1 as count
  from (select extract(epoch from scheduled_at)::float8 * 1000 as scheduled_at_ms from pontual.occurrences where job_id = $1) as fired`

const MISSED = `
  select
    extract(epoch from from_at)::float8 * 1000 as "from",
    extract(epoch from to_at)::float8 * 1000 as "to",
    count::int as count
  from pontual.missed
  where job_id = $1`

const DOUBLES = `
  select job_id || ' ' || scheduled_at as occurrence
  from pontual.executions
  where origin = 'schedule'
  group by job_id, scheduled_at
  having count(*) > 1`

/** Up to where a job has been decided about: what comes next stands in the job. */
const REACHED = `
  select extract(epoch from coalesce(next_fire_at, 'infinity'))::float8 * 1000 as next, status
  from pontual.jobs
  where id = $1`

/**
 * Each occurrence of each job up to now was fired, or stands in exactly one row that says why not; none has two executions, and none was begun under two. Gives how
 * many occurrences there were, and how many ran.
 */
async function judgeOccurrences(
  url: string,
  due: readonly Due[],
  effects: readonly EffectLine[],
  proof: Proof,
): Promise<{ readonly accounted: number; readonly runs: number }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  let accounted = 0
  for (const job of due) accounted += await judgeJob(client, job, proof)
  const { rows } = await client.query<{ occurrence: string }>(DOUBLES)
  for (const { occurrence } of rows) proof.violate(`${occurrence} has several executions.`)
  await client.end()
  return { accounted, runs: judgeRuns(effects, proof) }
}

async function judgeJob(client: pg.Client, due: Due, proof: Proof): Promise<number> {
  const { jobId, name, startAt, intervalMs, isCountedAnew } = due
  type Stretch = { readonly from: number; readonly to: number; readonly count: number }
  const { rows: fired } = await client.query<Stretch>(FIRED, [jobId])
  const { rows: missed } = await client.query<Stretch>(MISSED, [jobId])
  const { rows: stored } = await client.query<{ next: number }>(REACHED, [jobId])
  const ledger = [...fired, ...missed].toSorted((a, b) => a.from - b.from)
  const isNext = (at: number) => at === nextAt || (isCountedAnew && at > nextAt && at < nextAt + intervalMs)
  let nextAt = startAt
  let accounted = 0
  for (const { from, to, count } of ledger) {
    const told = () => `${name}: ${from - startAt} to ${to - startAt} (${count}) where ${nextAt - startAt} comes next.`
    proof.require(isNext(from), told)
    proof.require(to === from + (count - 1) * intervalMs, told)
    nextAt = to + intervalMs
    accounted += count
  }
  const reached = stored[0]?.next ?? 0
  proof.require(isNext(reached), () => `${name}: accounted for up to ${nextAt}, but ${reached} is next.`)
  return accounted
}

/** How many occurrences were begun by a handler. */
function judgeRuns(effects: readonly EffectLine[], proof: Proof): number {
  const executions = new Map<string, string>()
  for (const { event, jobId, scheduledAt, executionId } of effects) {
    if (event !== 'began' || jobId === null) continue
    const occurrence = `${jobId} ${scheduledAt}`
    const before = executions.get(occurrence)
    executions.set(occurrence, executionId)
    proof.require(
      before === undefined || before === executionId,
      () => `${occurrence} was run as ${before} and as ${executionId}.`,
    )
  }
  return executions.size
}

const TIMING = { staleThreshold: 3_000, renewalInterval: 500, staleCheckInterval: 500, pollInterval: 250 }

/** How wrong the clocks of the eight are. */
const SKEWS = [0, HOUR_MS, -HOUR_MS, 1_234, -59_999, HOUR_MS / 2, -7 * 60_000, 1]

const POLICIES: readonly MisfirePolicyName[] = ['fireAll', 'fireOnce', 'fireNow', 'skipToNext']

const QUICK_MS = 10

const SLOW_MS = 1_000

const SLOW_JOBS = 24

const PAUSE_MS = 4_500

interface SchedulePlan {
  readonly url: string
  /** Where PgBouncer stands before the same database, or null: every other node goes through it. */
  readonly pooledUrl: string | null
  readonly occurrences: number
  /** For how many intervals of the quick jobs all are down, one outage after the other. */
  readonly outages: readonly number[]
}

interface ScheduleReport {
  readonly accounted: number
  readonly runs: number
  readonly pauses: number
  readonly kills: number
}

/**
 * Eight schedulers in processes of their own, with clocks that are wrong. The one that did most is stopped past its lease, again and again; and all are killed
 * and stay away. Quick jobs have many occurrences, of which most are missed then; slow ones fire one by one.
 */
async function fireUnderFire(plan: SchedulePlan, proof: Proof): Promise<ScheduleReport> {
  await using effects = await EffectFile.create()
  await using app = pontual({ store: postgres(plan.url), logger: 'silent' })
  const startAt = Math.ceil(Date.now() / 1_000) * 1_000 + 10_000
  const due = await scheduleAll(app, startAt)
  const urlOf = (index: number) => (plan.pooledUrl !== null && index % 2 === 1 ? plan.pooledUrl : plan.url)
  const start = () =>
    Promise.all(
      SKEWS.map((skewMs, index) =>
        EffectProcess.start({
          url: urlOf(index),
          effects: effects.path,
          skewMs,
          maxConnections: 2,
          node: { name: `scheduler-${index}`, slots: 10 },
          ...TIMING,
        }),
      ),
    )
  let nodes = await start()
  let pauses = 0
  let kills = 0
  const outages = [...plan.outages]
  const soFar = () => due.reduce((sum, { intervalMs }) => sum + Math.max(0, Date.now() - startAt) / intervalMs, 0)
  while (soFar() < plan.occurrences || outages.length > 0) {
    await stopBusiest(nodes, effects)
    pauses += 1
    const intervals = outages.shift()
    if (intervals === undefined) continue
    for (const node of nodes) node.signal('SIGKILL')
    kills += nodes.length
    await Promise.all(nodes.map((node) => node.ended))
    await sleep(intervals * QUICK_MS)
    nodes = await start()
  }
  await endAll(app, due)
  for (const node of nodes) await node[Symbol.asyncDispose]()
  const report = await judgeOccurrences(plan.url, due, await effects.read(), proof)
  return { ...report, pauses, kills }
}

/** Jobs of every policy; those that may run all they missed have a bound of their own. */
async function scheduleAll(app: Pontual, startAt: number): Promise<Due[]> {
  const due: Due[] = []
  const schedule = async (name: string, intervalMs: number, policy: MisfirePolicyName) => {
    const trigger = simple({ startAt, interval: intervalMs })
    const misfire = { policy, threshold: '2s', catchUp: { limit: 200 } } as const
    const { id } = await app.schedule('work', { name, trigger, misfire, input: { ms: 0 }, onFaulted: 'continue' })
    due.push({ jobId: id, name, startAt, intervalMs, isCountedAnew: policy === 'fireNow' })
  }
  for (const policy of POLICIES.filter((each) => each !== 'fireAll'))
    await schedule(`quick ${policy}`, QUICK_MS, policy)
  for (let index = 0; index < SLOW_JOBS; index += 1) {
    await schedule(`slow ${index}`, SLOW_MS, POLICIES[index % POLICIES.length] ?? 'fireAll')
  }
  return due
}

/** The one that began most in the last seconds is stopped for longer than its lease. */
async function stopBusiest(nodes: readonly EffectProcess[], effects: EffectFile): Promise<void> {
  const since = Date.now()
  await sleep(1_500)
  const counts = new Map<number, number>()
  for (const { at, pid } of await effects.readTail()) if (at >= since) counts.set(pid, (counts.get(pid) ?? 0) + 1)
  const [busiest = new Chance(since).pick(nodes)] = nodes.toSorted(
    (a, b) => (counts.get(b.pid) ?? 0) - (counts.get(a.pid) ?? 0),
  )
  busiest.signal('SIGSTOP')
  await sleep(PAUSE_MS)
  busiest.signal('SIGCONT')
}

/** From now on nothing is due: what is past has to be accounted for soon. */
async function endAll(app: Pontual, due: readonly Due[]): Promise<void> {
  await sleep(3_000)
  await Promise.all(due.map(({ name }) => app.pause(name)))
  const until = performance.now() + 120_000
  for (;;) {
    const { QUEUED, RUNNING } = await app.counts()
    if (QUEUED + RUNNING === 0) return
    if (performance.now() > until) throw new Error(`${QUEUED} wait and ${RUNNING} run when all schedules are paused.`)
    await sleep(200)
  }
}

const ASKED = 100_000
const OUTAGES = [0, 1, 100, 10_000]
/** For a quick try the longest outage is left out. */
const LONGEST = Number(process.env['PONTUAL_PROVE_OUTAGE'] ?? OUTAGES.at(-1))

describe('an occurrence', () => {
  const proof = new Proof('occurrences')
  afterAll(() => proof.keep())

  it('I1, I2, I23: is fired once or explained, by eight schedulers with wrong clocks that are stopped and killed', () =>
    proof.part(async () => {
      const database = await createDatabase()
      const program = findPgBouncer()
      const bouncer = program === null ? null : await startPgBouncer(program, database.url)
      if (bouncer === null)
        proof.gap('I1: there is no PgBouncer on this machine, so that no scheduler went through one.')
      const outages = OUTAGES.filter((intervals) => intervals <= LONGEST)
      const report = await fireUnderFire(
        { url: database.url, pooledUrl: bouncer?.url ?? null, occurrences: countOf('OCCURRENCES', ASKED), outages },
        proof,
      )
      await bouncer?.stop()
      await database.drop()
      const about = (what: string) => ({ section: 'faults', invariants: ['I1', 'I2', 'I23'], what }) as const
      proof.count(
        {
          ...about('occurrences on eight processes with clocks wrong by up to an hour, each fired once or explained'),
          section: 'load',
        },
        report.accounted,
        ASKED,
      )
      proof.note({ ...about('of these that ran'), section: 'load' }, report.runs)
      proof.note(about('SIGSTOP of the busiest scheduler past its lease'), report.pauses)
      proof.note(about('kill -9 of schedulers, all eight at once'), report.kills)
      proof.count(about('intervals of the longest outage of all schedulers'), Math.max(...outages), OUTAGES.at(-1) ?? 0)
    }))

  it('I1, I2, I23: is fired once or explained where the clock of the store jumps', () =>
    proof.part(async () => {
      const report = await jumpClocks(countOf('VIRTUAL_OCCURRENCES', ASKED), proof)
      const about = (what: string) => ({ section: 'faults', invariants: ['I1', 'I2', 'I23'], what }) as const
      proof.count({ ...about('occurrences on eight nodes and virtual time'), section: 'load' }, report.accounted, ASKED)
      proof.note(about('jumps of the store’s clock, ahead and back by up to an hour'), report.jumps)
      proof.note(about('outages of all eight nodes, for up to 10,000 intervals'), report.outages)
    }))
})
