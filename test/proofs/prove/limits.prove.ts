import { afterAll, describe, it } from 'vitest'
import { createDatabase } from '../../harness/postgres/database.ts'
import { tortureCaps } from '../torture/caps.ts'
import { countOf } from './count-of.ts'
import { Proof } from './proof.ts'
import { runWithoutOverlap } from './runs-that-may-not-overlap.ts'

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
