import { afterAll, describe, it } from 'vitest'
import { DAY_MS } from '../../../src/duration.ts'
import { countOf } from './count-of.ts'
import { Proof } from './proof.ts'
import { fireTimers } from './timers.ts'

const ASKED = 100_000
const LATE_MS = 2_000

describe('a durable timer', () => {
  const proof = new Proof('timers')
  afterAll(() => proof.keep())

  it('I15: is never early and at most two seconds late, from a millisecond to 400 days, over restarts and jumps of the store’s clock', () =>
    proof.part(async () => {
      const report = await fireTimers(countOf('TIMERS', ASKED), proof)
      const about = (what: string) => ({ section: 'faults', invariants: ['I15'], what }) as const
      proof.count({ ...about('timers on virtual time, none early'), section: 'load' }, report.fired, ASKED)
      proof.bound({ ...about('the latest timer'), section: 'load' }, report.latestMs, LATE_MS, 'ms')
      proof.note({ ...about('the longest timer'), section: 'load' }, Math.round(report.longestMs / DAY_MS), 'days')
      proof.note(about('jumps of the store’s clock by an hour, ahead and back'), report.jumps)
      proof.note(about('restarts of all nodes while timers ran'), report.restarts)
    }))
})
