import { hashAuditEntry, NO_HASH } from '../../../../src/store/audit.ts'
import type { Commit } from '../commits.ts'
import { type Evidence, type Invariant, require } from './invariant.ts'

/** I24: every end of a job's execution, and every change of a job by people, stands in the audit log, written with it; and its chain holds. */
export class Audited implements Invariant {
  readonly #lengths = new Map<string, number>()

  afterCommit({ changes, question }: Commit, { tables, sometimes }: Evidence): void {
    const fresh = this.#freshEntries(tables)
    const ends = changes.filter((each) => each.table === 'results' && each.after?.body.jobId != null)
    for (const end of ends) {
      const told = fresh.filter(({ executionId }) => executionId === end.key)
      require(told.length === 1, 'I24', () => `${told.length} entries tell of the end of ${end.key} (${question.verb})`)
      sometimes('an end is in the audit log')
    }
    if (question.verb !== 'jobs.put' || !question.from.name.startsWith('client')) return
    for (const change of changes) {
      if (change.table !== 'jobs') continue
      const told = fresh.filter(({ jobId, executionId }) => jobId === change.key && executionId === null)
      require(told.length === 1, 'I24', () => `${told.length} entries tell of the change of job ${change.key}`)
      sometimes('a change of a job is in the audit log')
    }
  }

  atEnd({ tables }: Evidence): void {
    for (const [tenant, chain] of tables.audit.chains) {
      let previous = NO_HASH
      for (const { hash, previousHash, ...entry } of chain) {
        require(previousHash === previous, 'I24', () => `the chain of ${tenant} is broken at ${entry.sequence}`)
        require(hash === hashAuditEntry({ ...entry, previousHash }), 'I24', () =>
          `entry ${entry.sequence} does not hold`)
        previous = hash
      }
    }
  }

  #freshEntries({ audit }: Evidence['tables']) {
    return [...audit.chains].flatMap(([tenant, chain]) => {
      const known = this.#lengths.get(tenant) ?? 0
      this.#lengths.set(tenant, chain.length)
      return chain.slice(known)
    })
  }
}
