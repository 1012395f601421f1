import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, describe, it } from 'vitest'
import { type OverlapRule, type Pontual, pontual, simple } from '../../../src/index.ts'
import { postgres } from '../../../src/postgres.ts'
import { Chance } from '../../harness/chance.ts'
import { createDatabase } from '../../harness/postgres/database.ts'
import { tortureCaps } from '../torture/caps.ts'
import { countOf } from './count-of.ts'
import { EffectFile } from './effect-file.ts'
import type { EffectLine } from './effect-line.ts'
import { EffectProcess } from './effect-process.ts'
import { Proof } from './proof.ts'
import { untilAllEnded } from './workload.ts'

const TIMING = { staleThreshold: 3_000, renewalInterval: 500, staleCheckInterval: 500, pollInterval: 250 }

const NODES = 3

const SLOTS = 30

const INTERVAL_MS = 60

/** As long as an interval, or longer: most occurrences meet a run that has not ended. */
const RUN_MS = [40, 60, 90, 150]

const JOBS = 40

const KILL_EVERY_MS = 5_000

const LOOK_EVERY_MS = 50

const RULES: readonly OverlapRule[] = ['queue', 'skip', { atMost: 1 }]

interface OverlapReport {
  readonly runs: number
  readonly takeovers: number
  /** At what waits of jobs that queue, and how many of these one was waiting at. */
  readonly looks: number
  readonly waited: number
}

/** Jobs whose runs last longer than their interval, on nodes of which one is killed every few seconds. Of those that queue one waits at most, whenever somebody looks. */
async function runWithoutOverlap(url: string, runs: number, proof: Proof): Promise<OverlapReport> {
  await using effects = await EffectFile.create()
  await using app = pontual({ store: postgres(url), logger: 'silent' })
  const setup = { url, effects: effects.path, maxConnections: 4, node: { slots: SLOTS }, ...TIMING }
  const nodes = await Promise.all(Array.from({ length: NODES }, () => EffectProcess.start(setup)))
  const names = await scheduleAll(app)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const diedAt = new Map<number, number>()
  let isOver = false
  let looks = 0
  let waited = 0
  const looking = (async () => {
    for (; !isOver; looks += 1) {
      const waiting = await longestQueue(client)
      proof.require(waiting <= 1, () => `${waiting} wait of a job that queues.`)
      if (waiting > 0) waited += 1
      await sleep(LOOK_EVERY_MS)
    }
  })()
  const ended = async () => (await client.query<{ count: number }>(ENDED)).rows[0]?.count ?? 0
  for (let turn = 0; (await ended()) < runs; turn += 1) {
    await sleep(KILL_EVERY_MS)
    const node = nodes[turn % NODES]
    node?.signal('SIGKILL')
    diedAt.set(node?.pid ?? 0, Date.now())
    await node?.ended
    nodes[turn % NODES] = await EffectProcess.start(setup)
  }
  for (const name of names) await app.pause(name)
  await untilAllEnded(app, proof)
  isOver = true
  await looking
  await client.end()
  for (const node of nodes) await node[Symbol.asyncDispose]()
  return { ...judgeLines(await effects.read(), diedAt, proof), looks, waited }
}

const ENDED = `select count(*)::int as count from pontual.results where status = 'SUCCESS'`

async function scheduleAll(app: Pontual): Promise<string[]> {
  const chance = new Chance(17)
  const startAt = Math.ceil(Date.now() / 1_000) * 1_000
  const names: string[] = []
  for (let index = 0; index < JOBS; index += 1) {
    const overlap = RULES[index % RULES.length] ?? 'skip'
    const name = `${typeof overlap === 'string' ? overlap : 'one'} ${index}`
    names.push(name)
    await app.schedule('work', {
      name,
      trigger: simple({ startAt, interval: INTERVAL_MS }),
      overlap,
      input: { ms: chance.pick(RUN_MS) },
      retry: { retries: 1_000, intervals: [0] },
      misfire: { policy: 'fireOnce', threshold: '1s' },
      onFaulted: 'continue',
    })
  }
  return names
}

/** How many wait for their first attempt, of the job that queues and has most. */
async function longestQueue(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ waiting: number }>(`
    select count(*)::int as waiting
    from pontual.ready
    join pontual.jobs on jobs.id = ready.job_id
    where ready.epoch = 0 and jobs.name like 'queue %'
    group by jobs.id
    order by 1 desc
    limit 1`)
  return rows[0]?.waiting ?? 0
}

/** No run of a job began while another one of it was under way: until it ended, or its process died. */
function judgeLines(
  lines: readonly EffectLine[],
  diedAt: ReadonlyMap<number, number>,
  proof: Proof,
): Pick<OverlapReport, 'runs' | 'takeovers'> {
  const under = new Map<string, EffectLine>()
  const begun = new Set<string>()
  let takeovers = 0
  for (const line of lines) {
    const { jobId, executionId, attempt, event, at } = line
    if (jobId === null) continue
    if (event !== 'began') {
      if (under.get(jobId)?.executionId === executionId && under.get(jobId)?.attempt === attempt) under.delete(jobId)
      continue
    }
    const other = under.get(jobId)
    const deathOfOther = other === undefined ? 0 : (diedAt.get(other.pid) ?? Number.POSITIVE_INFINITY)
    proof.require(deathOfOther <= at, () => `${JSON.stringify(line)} while ${JSON.stringify(other)} was under way.`)
    if (other) takeovers += 1
    begun.add(executionId)
    under.set(jobId, line)
  }
  return { runs: begun.size, takeovers }
}

const SAMPLES = 50_000
const RUNS = 100_000
/** What the samplers need for as many where the machine is theirs. */
const MINUTES = 9
const SAMPLERS = 8
const SAMPLE_EVERY_MS = 40

describe('a limit', () => {
  const proof = new Proof('limits')
  afterAll(() => proof.keep())

  it('I17, I18: of a tenant holds in every snapshot while it changes and claimers are killed, and no slot is lost', () =>
    proof.part(async () => {
      const database = await createDatabase()
      const minutes = countOf('MINUTES', MINUTES)
      const executions = Math.round(4_000 * minutes)
      const report = await tortureCaps({
        url: database.url,
        forMs: minutes * 60_000,
        executions,
        killEveryMs: 2_000,
        changeEveryMs: 700,
        samplers: SAMPLERS,
        sampleEveryMs: SAMPLE_EVERY_MS,
      })
      await database.drop()
      for (const violation of report.violations) proof.violate(violation)
      const about = (what: string) => ({ section: 'faults', invariants: ['I17', 'I18'], what }) as const
      proof.count(about('snapshots of what runs of three tenants, none beyond its limit'), report.samples, SAMPLES)
      proof.note(about('times that a tenant was seen at its limit'), report.atLimit)
      proof.note(about('changes of the limits'), report.changes)
      proof.note(about('kill -9 of processes with three claimers each'), report.kills)
      const left = report.leasesLeft + report.waitingLeft
      proof.bound({ ...about('executions left and slots taken when all is quiet'), section: 'lost' }, left, 0)
      proof.require(report.ended === 3 * executions, () => `${report.ended} of ${3 * executions} have ended.`)
      proof.require(report.afterwards === 10, () => `${report.afterwards} run where ten may.`)
    }))

  it('I20: of one run at a time holds for jobs whose runs outlast their interval, on nodes that are killed', () =>
    proof.part(async () => {
      const database = await createDatabase()
      const { runs, takeovers, looks, waited } = await runWithoutOverlap(database.url, countOf('RUNS', RUNS), proof)
      await database.drop()
      const about = (what: string) => ({ section: 'faults', invariants: ['I20'], what }) as const
      proof.count(about('runs of jobs that may not overlap, none beside another'), runs, RUNS)
      proof.note(about('runs taken over from a process that was killed'), takeovers)
      proof.note(about('looks at what waits of jobs that queue, none with more than one'), looks)
      proof.note(about('of these with one that waits'), waited)
      proof.require(waited > 0, () => 'Nothing was ever seen to wait.')
    }))
})
