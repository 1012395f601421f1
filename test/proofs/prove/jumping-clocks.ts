import { HOUR_MS, MINUTE_MS } from '../../../src/duration.ts'
import { cron, type MisfirePolicyName } from '../../../src/index.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import { Chance } from '../../harness/chance.ts'
import { Cluster } from '../../suites/scenarios/cluster.ts'
import { recording } from '../../suites/scenarios/observed.ts'
import type { Proof } from './proof.ts'

const START_AT = Date.UTC(2026, 2, 2, 9, 59, 30)
const SKEWS = [0, HOUR_MS, -HOUR_MS, 1_234, -59_999, HOUR_MS / 2, -7 * MINUTE_MS, 1]
const POLICIES: readonly MisfirePolicyName[] = ['fireAll', 'fireOnce', 'fireNow', 'skipToNext']
const OUTAGES = [0, 1, 100, 10_000]
const JUMPS = [-10 * MINUTE_MS, HOUR_MS, -HOUR_MS, 10 * MINUTE_MS, -30_000]

export interface JumpReport {
  accounted: number
  jumps: number
  outages: number
}

/** Eight nodes fire every minute, while the clock of their store goes back and ahead and all of them are away now and then. */
export async function jumpClocks(occurrences: number, proof: Proof): Promise<JumpReport> {
  const total: JumpReport = { accounted: 0, jumps: 0, outages: 0 }
  for (let seed = 1; total.accounted < occurrences; seed += 1) {
    const report = await oneWorld(seed, proof)
    total.accounted += report.accounted
    total.jumps += report.jumps
    total.outages += report.outages
  }
  return total
}

async function oneWorld(seed: number, proof: Proof): Promise<JumpReport> {
  const chance = new Chance(seed)
  const names = POLICIES.map((policy) => `minutely ${policy}`)
  const work = recording(
    'minutely',
    POLICIES.map((policy, index) => ({
      name: names[index] ?? policy,
      trigger: cron('* * * * *'),
      misfire: { policy, catchUp: { limit: 50 } },
    })),
  )
  const cluster = new Cluster(START_AT, { store: memory(), seed })
  const start = () => cluster.startAll(SKEWS.map((skewMs) => ({ jobs: [work.type], skewMs })))
  let nodes = await start()
  let latest = cluster.now()
  const pass = async (ms: number) => {
    await cluster.advance(ms)
    latest = Math.max(latest, cluster.now())
  }
  let jumps = 0
  for (const intervals of chance.shuffled(OUTAGES)) {
    for (let step = 0; step < 5; step += 1) {
      await pass(chance.between(1, 20) * MINUTE_MS)
      cluster.storeSkewMs += chance.pick(JUMPS)
      latest = Math.max(latest, cluster.now())
      jumps += 1
    }
    await cluster.stop()
    await pass(intervals * MINUTE_MS)
    nodes = await start()
  }
  // By then the clock is past all it has ever shown, so that nothing is left to be decided.
  await cluster.advance(Math.max(0, latest - cluster.now()) + 2 * MINUTE_MS)
  const until = cluster.now()
  let accounted = 0
  for (const name of names) {
    const ledger = (await nodes[0]?.ledger(name, START_AT - HOUR_MS, until + HOUR_MS)) ?? []
    let nextAt = ledger[0]?.from ?? 0
    for (const { from, to, count } of ledger) {
      proof.require(from === nextAt, () => `Seed ${seed}, ${name}: ${from} where ${nextAt} comes next.`)
      proof.require(
        to === from + (count - 1) * MINUTE_MS,
        () => `Seed ${seed}, ${name}: ${count} from ${from} to ${to}.`,
      )
      nextAt = to + MINUTE_MS
      accounted += count
    }
    proof.require(
      nextAt > until - MINUTE_MS,
      () => `Seed ${seed}, ${name}: nothing is known from ${nextAt} to ${until}.`,
    )
  }
  const runs = work.runs.map(({ jobId, scheduledAt }) => `${jobId} ${scheduledAt}`)
  const doubles = runs.length - new Set(runs).size
  proof.require(doubles === 0, () => `Seed ${seed}: ${doubles} occurrences ran twice.`)
  await cluster.stop()
  return { accounted, jumps, outages: OUTAGES.length }
}
