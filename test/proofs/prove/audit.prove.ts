import { afterAll, describe, it } from 'vitest'
import { createDatabase } from '../../harness/postgres/database.ts'
import { auditChanges } from './audited-changes.ts'
import { countOf } from './count-of.ts'
import { Proof } from './proof.ts'
import { tamper } from './tamperings.ts'

const ROWS = 1_000_000
const TAMPERINGS = 1_000

describe('the audit log', () => {
  const proof = new Proof('audit')
  afterAll(() => proof.keep())

  it('I24: tells of every change once, in an unbroken chain, whatever happens to connections and server', () =>
    proof.part(async () => {
      const report = await auditChanges(countOf('AUDIT_ROWS', ROWS), proof)
      const about = (what: string) => ({ section: 'load', invariants: ['I24'], what }) as const
      proof.count(
        about('entries by sixteen writers of one tenant, one for each change, the chain unbroken'),
        report.rows,
        ROWS,
      )
      proof.note(about('of these ends of executions'), report.ends)
      proof.note(about('of these edits of jobs'), report.edits)
      proof.note({ ...about('connections ended in a statement of theirs'), section: 'faults' }, report.terminated)
      proof.note({ ...about('crashes of the server meanwhile'), section: 'faults' }, report.crashes)
      proof.gap('I24: a crash at each statement boundary in turn; connections and the server end at random statements.')
    }))

  it('I25: shows every change to it, and takes none from who may only write', () =>
    proof.part(async () => {
      const database = await createDatabase()
      const { tamperings, refused } = await tamper(database, countOf('TAMPERINGS', TAMPERINGS), proof)
      await database.drop()
      const about = (what: string) => ({ section: 'inputs', invariants: ['I25'], what }) as const
      proof.count(about('chains tampered with by a superuser, all found'), tamperings, TAMPERINGS)
      proof.note(about('statements of a plain role against the log, all refused with 42501'), refused)
    }))
})
