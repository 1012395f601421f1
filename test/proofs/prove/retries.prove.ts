import { afterAll, describe, it } from 'vitest'
import { countOf } from './count-of.ts'
import { Proof } from './proof.ts'
import { failTogether } from './retries-together.ts'

const ASKED = 50_000
const LARGEST_SHARE = 5

describe('a retry', () => {
  const proof = new Proof('retries')
  afterAll(() => proof.keep())

  it('I22: never comes before it is due, and what failed together does not come back together', () =>
    proof.part(async () => {
      const report = await failTogether(countOf('RETRIES', ASKED), proof)
      const about = (what: string) => ({ section: 'faults', invariants: ['I22'], what }) as const
      proof.count(about('executions that failed together, on virtual time'), report.failed, ASKED)
      proof.note(about('retries until all had succeeded, none early'), report.retries)
      const fullest = Math.round(report.fullestSecond * 10_000) / 100
      proof.bound(about('of the first retries in the fullest second'), fullest, LARGEST_SHARE, '%')
      proof.note(about('seconds over which they were spread'), report.seconds)
    }))
})
