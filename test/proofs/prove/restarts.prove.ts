import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, describe, it } from 'vitest'
import { pontual } from '../../../src/index.ts'
import { postgres } from '../../../src/postgres.ts'
import { Chance } from '../../harness/chance.ts'
import { createDatabase } from '../../harness/postgres/database.ts'
import { countOf } from './count-of.ts'
import { EffectFile } from './effect-file.ts'
import { EffectProcess } from './effect-process.ts'
import { Proof } from './proof.ts'
import { feed, untilAllEnded } from './workload.ts'

const TIMING = { staleThreshold: 10_000, renewalInterval: 1_000, staleCheckInterval: 1_000, pollInterval: 250 }

/** Shorter than some of the work takes, so that it is handed back. */
const GRACE_MS = 150

const PLACES = 4

const LONGEST_LIFE_MS = 600

interface RestartReport {
  readonly restarts: number
  readonly ended: number
  /** Attempts that were begun and handed back, or aborted. */
  readonly handedBack: number
  /** How long the slowest took from SIGTERM to its end. */
  readonly slowestMs: number
}

/** Four nodes under load are restarted one after the other, as a deploy does, over and over. */
async function restartInTurn(url: string, restarts: number, proof: Proof): Promise<RestartReport> {
  await using effects = await EffectFile.create()
  await using app = pontual({ store: postgres(url), logger: 'silent' })
  const setup = { url, effects: effects.path, maxConnections: 3, shutdownGrace: GRACE_MS, ...TIMING }
  let done = 0
  let slowestMs = 0
  const isOver = () => done >= restarts
  const place = async (_: unknown, index: number) => {
    const chance = new Chance(index)
    while (!isOver()) {
      await using node = await EffectProcess.start({ ...setup, node: { name: `place-${index}`, slots: 8 } })
      await sleep(chance.between(50, LONGEST_LIFE_MS))
      const stoppedAt = performance.now()
      node.signal('SIGTERM')
      await node.ended
      slowestMs = Math.max(slowestMs, performance.now() - stoppedAt)
      proof.require(node.of('node.stopped').length === 1, () => 'A node that was asked to stop did not say so.')
      done += 1
    }
  }
  const feeding = feed(app, isOver)
  await Promise.all(Array.from({ length: PLACES }, place))
  await feeding
  await using _last = await EffectProcess.start({ ...setup, node: { name: 'last', slots: 50 } })
  await untilAllEnded(app, proof)
  const lines = await effects.read()
  const began = lines.filter(({ event }) => event === 'began').length
  const ended = await judgeStored(url, proof)
  return { restarts: done, ended, handedBack: began - ended, slowestMs }
}

/** All have succeeded, and none has spent an attempt on a restart. */
async function judgeStored(url: string, proof: Proof): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<Record<'ended' | 'unlike' | 'spent', number>>(`
    select
      (select count(*)::int from pontual.results) as ended,
      (select count(*)::int from pontual.results where status <> 'SUCCESS' or attempt <> 1) as unlike,
      (select count(*)::int from pontual.attempts) as spent`)
  await client.end()
  const { ended = 0, unlike = 0, spent = 0 } = rows[0] ?? {}
  proof.require(unlike === 0, () => `${unlike} of ${ended} have not succeeded with their first attempt.`)
  proof.require(spent === 0, () => `${spent} attempts were lost or spent.`)
  return ended
}

const ASKED = 500

describe('a restart', () => {
  const proof = new Proof('restarts')
  afterAll(() => proof.keep())

  it('I30: under load loses nothing, and spends no attempt', () =>
    proof.part(async () => {
      const database = await createDatabase()
      const report = await restartInTurn(database.url, countOf('RESTARTS', ASKED), proof)
      await database.drop()
      const about = (what: string) => ({ section: 'faults', invariants: ['I30'], what }) as const
      proof.count(about('restarts of one of four nodes by SIGTERM under load'), report.restarts, ASKED)
      proof.note(about('attempts handed back unspent'), report.handedBack)
      proof.note(about('slowest end after SIGTERM, with a grace of 150 ms'), Math.round(report.slowestMs), 'ms')
      proof.note(
        { ...about('executions under restarts, all succeeded with their first attempt'), section: 'lost' },
        report.ended,
      )
    }))
})
