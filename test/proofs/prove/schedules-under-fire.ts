import { setTimeout as sleep } from 'node:timers/promises'
import { HOUR_MS } from '../../../src/duration.ts'
import { type MisfirePolicyName, type Pontual, pontual, simple } from '../../../src/index.ts'
import { postgres } from '../../../src/postgres.ts'
import { Chance } from '../../harness/chance.ts'
import { EffectFile } from './effect-file.ts'
import { EffectProcess } from './effect-process.ts'
import { type Due, judgeOccurrences } from './judge-occurrences.ts'
import type { Proof } from './proof.ts'

const TIMING = { staleThreshold: 3_000, renewalInterval: 500, staleCheckInterval: 500, pollInterval: 250 }
/** How wrong the clocks of the eight are. */
const SKEWS = [0, HOUR_MS, -HOUR_MS, 1_234, -59_999, HOUR_MS / 2, -7 * 60_000, 1]
const POLICIES: readonly MisfirePolicyName[] = ['fireAll', 'fireOnce', 'fireNow', 'skipToNext']
const QUICK_MS = 10
const SLOW_MS = 1_000
const SLOW_JOBS = 24
const PAUSE_MS = 4_500

export interface SchedulePlan {
  readonly url: string
  /** Where PgBouncer stands before the same database, or null: every other node goes through it. */
  readonly pooledUrl: string | null
  readonly occurrences: number
  /** For how many intervals of the quick jobs all are down, one outage after the other. */
  readonly outages: readonly number[]
}

export interface ScheduleReport {
  readonly accounted: number
  readonly runs: number
  readonly pauses: number
  readonly kills: number
}

/**
 * Eight schedulers in processes of their own, with clocks that are wrong. The one that did most is stopped past its lease, again and again; and all are killed
 * and stay away. Quick jobs have many occurrences, of which most are missed then; slow ones fire one by one.
 */
export async function fireUnderFire(plan: SchedulePlan, proof: Proof): Promise<ScheduleReport> {
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
