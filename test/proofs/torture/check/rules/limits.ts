import type { Evidence } from '../evidence.ts'
import type { ChangeRow } from '../rows.ts'
import type { Findings, Rule } from '../rule.ts'

/** Changes are dated a little before they are committed, samples a little after they are taken. */
const MEANWHILE_MS = 2_000

/** I17: nothing of a tenant begins beyond its limit. What ran before a limit was lowered goes on, and counts. */
export const WITHIN_LIMIT: Rule = {
  invariant: 'I17',
  what: 'claims of tenants with a limit, none beyond it',
  check({ tables }, { saw, require }) {
    const limits = new Map<number, number>()
    const running = new Map<number, Map<string, ChangeRow>>()
    const tenantOf = new Map<string, number>()
    for (const change of tables.changes) {
      if (change.kind === 'limited') limits.set(change.detail.tenant, limitOf(change.detail.most))
      if (change.kind === 'left') running.get(tenantOf.get(change.executionId) ?? -1)?.delete(change.executionId)
      if (change.kind !== 'claimed') continue
      const { tenant } = change.detail
      const own = running.get(tenant) ?? new Map<string, ChangeRow>()
      running.set(tenant, own.set(change.executionId, change))
      tenantOf.set(change.executionId, tenant)
      const limit = limits.get(tenant) ?? Number.POSITIVE_INFINITY
      if (limit === Number.POSITIVE_INFINITY) continue
      saw()
      require(own.size <= limit, () => `${own.size} of tenant ${tenant} run, where ${limit} may`, () => [
        ...own.values(),
      ])
    }
  },
}

/** I17 once more, by looking at what runs: as many as a limit allows, or as ran before it was lowered. */
export const WITHIN_LIMIT_WHEN_LOOKED_AT: Rule = {
  invariant: 'I17',
  what: 'snapshots of what runs of a tenant with a limit, none with too many',
  check(evidence, findings) {
    const changes = evidence.tables.changes.filter((change) => change.kind === 'limited')
    const before = new Map<string, { readonly at: number; readonly running: number; readonly most: number | null }>()
    for (const { at, tenants } of evidence.samples) {
      for (const { tenant, running, most } of tenants) {
        const last = before.get(tenant)
        before.set(tenant, { at, running, most })
        if (most === null) continue
        findings.saw()
        const since = evidence.wall(last?.at ?? at) - MEANWHILE_MS
        const meanwhile = changes.filter(
          (change) =>
            change.detail.name === tenant && change.at >= since && change.at <= evidence.wall(at) + MEANWHILE_MS,
        )
        const held = [most, last ? last.most : most, ...meanwhile.map(({ detail }) => detail.most)].map(limitOf)
        const ceiling = Math.max(last?.running ?? 0, ...held)
        findings.require(
          running <= ceiling,
          () => `${running} of ${tenant} run, where ${most} may and ${ceiling} could`,
          () => [{ at, wall: evidence.wall(at), tenants }, ...meanwhile],
        )
      }
    }
  },
}

/** I18: no slot is left taken. */
export const NO_SLOT_LEFT: Rule = {
  invariant: 'I18',
  what: 'slots that were taken, each free in the end',
  check({ tables }, { saw, require }) {
    const left = new Set(tables.changes.filter(({ kind }) => kind === 'left').map((change) => keyOf(change)))
    for (const change of tables.changes) {
      if (change.kind !== 'claimed') continue
      saw()
      require(left.has(keyOf(change)), () => `the slot of ${change.executionId} is never free again`, () => [change])
    }
    const { leases } = tables
    require(leases.length === 0, () => `${leases.length} leases are left`, () => leases)
  },
}

/** I20: of a job that may not overlap no more run at once than may. */
export const NO_OVERLAP: Rule = {
  invariant: 'I20',
  what: 'claims of jobs that may not overlap, each alone or among as many as may',
  check(evidence, findings) {
    const most = mostOfJobs(evidence)
    const running = new Map<string, Map<string, ChangeRow>>()
    const jobOf = new Map<string, string>()
    for (const change of evidence.tables.changes) {
      if (change.kind === 'left') running.get(jobOf.get(change.executionId) ?? '')?.delete(change.executionId)
      if (change.kind !== 'claimed' || change.detail.jobId === null) continue
      const { jobId } = change.detail
      const limit = most.get(jobId)
      if (limit === undefined) continue
      const own = running.get(jobId) ?? new Map<string, ChangeRow>()
      running.set(jobId, own.set(change.executionId, change))
      jobOf.set(change.executionId, jobId)
      findings.saw()
      findings.require(
        own.size <= limit,
        () => `${own.size} of job ${jobId} run, where ${limit} may`,
        () => [...own.values()],
      )
    }
    requireNoneSeen(evidence, findings)
  },
}

function requireNoneSeen({ world, samples }: Evidence, { require }: Findings): void {
  const most = new Map(world.schedules.map(({ name, overlap }) => [name, mostOf(overlap)]))
  for (const { at, overlapping } of samples) {
    for (const { job, running } of overlapping) {
      const limit = most.get(job) ?? Number.POSITIVE_INFINITY
      require(running <= limit, () => `${running} of ${job} run, where ${limit} may`, () => [{ at, overlapping }])
    }
  }
}

/** How many of a job may run, by its id; jobs of which any number may are left out. */
function mostOfJobs({ world, tables }: Evidence): Map<string, number> {
  const most = new Map<string, number>()
  for (const { name, tenant, overlap } of world.schedules) {
    const job = tables.jobs.find((each) => each.name === name && each.tenant === tenant)
    if (job && mostOf(overlap) !== Number.POSITIVE_INFINITY) most.set(job.id, mostOf(overlap))
  }
  return most
}

function mostOf(overlap: Evidence['world']['schedules'][number]['overlap']): number {
  if (overlap === 'allow') return Number.POSITIVE_INFINITY
  return typeof overlap === 'object' ? overlap.atMost : 1
}

function limitOf(most: number | null): number {
  return most === null || most < 0 ? Number.POSITIVE_INFINITY : most
}

function keyOf(change: ChangeRow): string {
  return 'executionId' in change ? `${change.executionId} ${change.epoch}` : ''
}
