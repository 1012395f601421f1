import { afterAll, describe, it } from 'vitest'
import { createDatabase } from '../../harness/postgres/database.ts'
import { countOf } from './count-of.ts'
import { Proof } from './proof.ts'
import { sendSignals } from './signals.ts'

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
