import type { AuditDraft, AuditEntry, AuditOperation } from '../../../src/access/audit.ts'
import { FINAL_STATUSES } from '../../../src/job/execution/execution.ts'
import type { Job } from '../../../src/job/job.ts'
import { hashAuditEntry } from '../../../src/store/audit.ts'
import type { EngineStore } from '../../../src/store/store.ts'

const ALL = 10_000

type Ask = <Answer>(ask: (store: EngineStore) => Promise<Answer>) => Promise<Answer>

/** What the audit logs of several stores tell of what was done to all of them. */
export class WorldAudit {
  readonly #ask: Ask
  readonly #tenants: readonly string[]
  /** Where the chain of each tenant ended when it began: of stores that have differed before, not at the same place. */
  readonly #beginnings = new WeakMap<EngineStore, ReadonlyMap<string, number>>()

  constructor(ask: Ask, tenants: readonly string[]) {
    this.#ask = ask
    this.#tenants = tenants
  }

  async begin(): Promise<void> {
    await this.#ask(async (store) => {
      const heads = await store.audit.heads()
      this.#beginnings.set(store, new Map(heads.map(({ tenant, sequence }) => [tenant, sequence])))
      return null
    })
  }

  /** An entry that tells which state of a job was written. */
  draftOf({ id, version, status }: Job, operation: AuditOperation): AuditDraft {
    return { operation, userId: 'ann', jobId: id, executionId: null, oldValues: null, newValues: { version, status } }
  }

  /** All tell the same, and of each end of an execution of a job once. */
  async read(): Promise<void> {
    for (const tenant of this.#tenants) {
      const told = await this.#ask(async (store) => {
        const after = this.#beginnings.get(store)?.get(tenant) ?? 0
        const entries = await store.audit.list({ tenant, after, limit: ALL, isAscending: true })
        if (!isChain(entries, after))
          throw new Error(`The chain of ${tenant} does not hold: ${JSON.stringify(entries)}`)
        return entries.map((entry) => meaningOf(entry, after))
      })
      const ended = await this.#ask(async ({ executions }) =>
        (await executions.list({ tenant, statuses: FINAL_STATUSES, limit: ALL }))
          .filter(({ jobId }) => jobId !== null)
          .map(({ id }) => id),
      )
      const ends = told.flatMap(({ executionId }) => executionId ?? [])
      if (new Set(ends).size !== ends.length) throw new Error(`An end was told twice: ${ends.join(', ')}`)
      // What has been removed since is told all the same.
      const untold = ended.filter((id) => !ends.includes(id))
      if (untold.length > 0) throw new Error(`Ends were not told: ${untold.join(', ')}`)
      await this.#readNotifications(tenant, told)
    }
  }

  /** People are told of what has failed, and of nothing else. */
  async #readNotifications(tenant: string, told: readonly Pick<AuditEntry, 'operation' | 'executionId'>[]) {
    await this.#ask(async ({ notifications }) => {
      const posted = await notifications.list({ tenant, kinds: ['job.failed'], limit: ALL })
      const ids = new Set(posted.map(({ id }) => id))
      for (const { operation, executionId } of told) {
        if (executionId === null || !ENDS.includes(operation)) continue
        if (ids.has(executionId) !== (operation === 'JOBS_JOB_FAIL')) {
          throw new Error(`People are told otherwise of execution ${executionId}: ${operation}`)
        }
      }
      return null
    })
  }
}

const ENDS: readonly AuditOperation[] = ['JOBS_JOB_EXECUTE', 'JOBS_JOB_FAIL', 'JOBS_JOB_CANCEL']

function isChain(entries: readonly AuditEntry[], after: number): boolean {
  return entries.every(({ hash, ...entry }, index) => {
    const isNext = index === 0 || entry.previousHash === entries[index - 1]?.hash
    return isNext && entry.sequence === after + index + 1 && hash === hashAuditEntry(entry)
  })
}

/** An entry but for its hashes, since the same values may be written in other ways, and its place since the beginning. */
function meaningOf({ hash: _hash, previousHash: _previousHash, ...entry }: AuditEntry, after: number) {
  return {
    ...entry,
    sequence: entry.sequence - after,
    oldValues: parsed(entry.oldValues),
    newValues: parsed(entry.newValues),
  }
}

function parsed(text: string | null): unknown {
  return text === null ? null : JSON.parse(text)
}
