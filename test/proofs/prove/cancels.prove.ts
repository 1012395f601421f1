import { afterAll, describe, it } from 'vitest'
import { createDatabase } from '../../harness/postgres/database.ts'
import { cancelAnywhere, HEARTBEAT_MS } from './cancels.ts'
import { countOf } from './count-of.ts'
import { Proof } from './proof.ts'

const ASKED = 10_000

describe('a cancellation', () => {
  const proof = new Proof('cancels')
  afterAll(() => proof.keep())

  it('I21: that is acknowledged lets nothing begin, reaches what runs in time, and no success comes after it', () =>
    proof.part(async () => {
      const database = await createDatabase()
      const report = await cancelAnywhere(database.url, countOf('CANCELS', ASKED), proof)
      await database.drop()
      const about = (what: string) => ({ section: 'faults', invariants: ['I21'], what }) as const
      proof.count(about('cancellations at any point of an execution'), report.asked, ASKED)
      proof.note(about('of these before its end'), report.cancelled)
      proof.note(about('of these in a handler'), report.running)
      proof.note(about('successes of handlers that went on, all refused'), report.lateSuccesses)
      proof.note(about('handlers that began after it, since their claim had come before'), report.underWay)
      proof.bound(about('latest begin of such a handler'), Math.round(report.latestBeginMs), HEARTBEAT_MS, 'ms')
      proof.bound(about('slowest abort of a handler'), Math.round(report.slowestAbortMs), HEARTBEAT_MS, 'ms')
    }))
})
