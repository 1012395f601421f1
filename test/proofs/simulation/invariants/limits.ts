import { overlapPolicy } from '../../../../src/job/rules/resolve-overlap.ts'
import type { ReadyRow } from '../../../../src/store/memory/schema/rows.ts'
import type { Commit } from '../commits.ts'
import { type Evidence, type Invariant, require } from './invariant.ts'

/** I17: a claim never takes a tenant above its limit. I20: a job that does not overlap never runs twice at once, and of one that queues one waits. I18: at the end no slot is taken. */
export class Limits implements Invariant {
  afterCommit({ changes }: Commit, evidence: Evidence): void {
    const { tables, sometimes } = evidence
    for (const change of changes) {
      if (change.table === 'ready' && !change.before && change.after) requireOneWaits(change.after, evidence)
      if (change.table !== 'leases' || change.before || !change.after) continue
      const { body } = change.after
      const cap = tables.tenants.limitOf(body.tenant)
      const running = tables.leasesByTenant.group(body.tenant)?.size ?? 0
      if (cap !== null) {
        require(running <= cap, 'I17', () => `${running} of tenant ${body.tenant} run, where ${cap} may`)
        if (running === cap) sometimes('the limit of a tenant is reached')
      }
      const atMost = body.options?.concurrency
      if (atMost === undefined || body.jobId === null) continue
      const own = tables.leasesByJob.group(body.jobId)?.size ?? 0
      require(own <= atMost, 'I20', () => `${own} of job ${body.jobId} run, where ${atMost} may`)
      if (own === atMost) sometimes('a job that does not overlap runs')
    }
  }

  atEnd({ tables }: Evidence): void {
    require(tables.leases.size === 0, 'I18', () => `${tables.leases.size} leases are left`)
  }
}

/** Schedules never change their rule here, and a policy that gives every occurrence a run of its own lets all of them wait. */
function requireOneWaits({ body, epoch }: ReadyRow, { tables, sometimes }: Evidence): void {
  const definition = tables.jobs.get(body.jobId ?? '')?.definition
  if (epoch > 0 || body.origin !== 'schedule' || definition?.overlap !== 'queue') return
  if ([definition.misfire.policy, overlapPolicy(definition.misfire)].includes('fireAll')) return
  const waiting = tables.freshByJob.rowsOf(body.jobId ?? '').filter((row) => row.body.origin === 'schedule')
  require(waiting.length <= 1, 'I20', () => `${waiting.length} of job ${body.jobId} wait, which queues one`)
  if (tables.leasesByJob.group(body.jobId ?? '')) sometimes('an occurrence waits behind a run')
}
