import { afterAll, describe, it } from 'vitest'
import { createDatabase } from '../../harness/postgres/database.ts'
import { findPgBouncer, startPgBouncer } from '../../harness/postgres/pgbouncer.ts'
import { countOf } from './count-of.ts'
import { jumpClocks } from './jumping-clocks.ts'
import { Proof } from './proof.ts'
import { fireUnderFire } from './schedules-under-fire.ts'

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
