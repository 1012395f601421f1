import { createHash } from 'node:crypto'
import { grouped } from '../grouped.ts'
import type { AuditRow } from '../rows.ts'
import type { Rule } from '../rule.ts'

const ENDS: Readonly<Record<string, string>> = {
  SUCCESS: 'JOBS_JOB_EXECUTE',
  CANCELLED: 'JOBS_JOB_CANCEL',
  FAILED: 'JOBS_JOB_FAIL',
  TIMEOUT: 'JOBS_JOB_FAIL',
}
const NOTHING_BEFORE = '0'.repeat(64)

/** I24: each end of an execution of a job has one entry, and each entry of an end has that end. */
export const TOLD_ONCE: Rule = {
  invariant: 'I24',
  what: 'ends of executions of jobs, each with one audit entry and the other way round',
  check({ tables, ends }, { saw, require }) {
    const entries = grouped(
      tables.audit.filter(
        ({ operation, executionId }) => executionId !== null && Object.values(ENDS).includes(operation),
      ),
      ({ executionId }) => executionId ?? '',
    )
    for (const execution of tables.executions) {
      const [end] = ends.get(execution.id) ?? []
      const told = entries.get(execution.id) ?? []
      if (execution.jobId === null) {
        require(told.length === 0, () => `${execution.id} is of no job, and has ${told.length} entries`, () => told)
        continue
      }
      if (end) saw()
      require(told.length === (end ? 1 : 0), () =>
        `${told.length} entries tell of the ${end ? 'end' : 'end that is none'} of ${execution.id}`, () => [
        execution,
        end,
        ...told,
      ])
      for (const entry of end ? told.slice(0, 1) : []) {
        const fits =
          entry.operation === ENDS[end?.status ?? ''] &&
          entry.tenant === execution.tenant &&
          entry.jobId === execution.jobId
        require(fits, () => `the entry of ${execution.id} tells of another end`, () => [execution, end, entry])
      }
    }
  },
}

/** I24: the chain of a tenant has no gap, and each hash is that of what stands there. */
export const UNBROKEN_CHAIN: Rule = {
  invariant: 'I24',
  what: 'audit entries, each hash reckoned anew',
  check({ tables }, { saw, require }) {
    const heads = new Map(tables.heads.map((head) => [head.tenant, head]))
    for (const [tenant, chain] of grouped(tables.audit, (entry) => entry.tenant)) {
      let before: AuditRow | null = null
      for (const entry of chain.toSorted((a, b) => a.sequence - b.sequence)) {
        saw()
        const former: AuditRow | null = before
        const follows =
          entry.sequence === (former?.sequence ?? 0) + 1 && entry.previousHash === (former?.hash ?? NOTHING_BEFORE)
        require(follows, () => `entry ${entry.sequence} of ${tenant} does not follow the one before it`, () => [
          former,
          entry,
        ])
        require(entry.hash === hashOf(entry), () =>
          `entry ${entry.sequence} of ${tenant} is not what was hashed`, () => [entry])
        before = entry
      }
      const head = heads.get(tenant)
      require(head?.sequence === before?.sequence && head?.hash === before?.hash, () =>
        `the chain of ${tenant} ends elsewhere than its head says`, () => [head, before])
    }
    for (const head of tables.heads) {
      const isThere = head.sequence === 0 || tables.audit.some(({ tenant }) => tenant === head.tenant)
      require(isThere, () => `the chain of ${head.tenant} is gone`, () => [head])
    }
  },
}

/** As decision 12 has it: the hash before it, then each field with its length in code points, a line each. */
export function hashOf(entry: Omit<AuditRow, 'hash'>): string {
  const { tenant, sequence, at, operation, userId, jobId, executionId, oldValues, newValues, previousHash } = entry
  const fields = [tenant, String(sequence), String(at), operation, userId, jobId, executionId, oldValues, newValues]
  const text = fields.map((field) => (field === null ? '-' : `${Array.from(field).length}:${field}`))
  return createHash('sha256')
    .update([previousHash, ...text].join('\n'))
    .digest('hex')
}
