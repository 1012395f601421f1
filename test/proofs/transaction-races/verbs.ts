import type { FinalStatus } from '../../../src/job/execution/execution.ts'
import type { Job } from '../../../src/job/job.ts'
import { IdempotencyError } from '../../../src/store/idempotency.ts'
import type { EngineStore } from '../../../src/store/store.ts'
import type { TenantConcurrency } from '../../../src/store/tenants.ts'
import { type Bench, failure, HOUR, LEASE_MS, success } from '../../suites/conformance/bench.ts'
import { begun, item, MISMATCH, settled } from '../../suites/conformance/durable-entries.ts'
import { type Cast, TENANT } from './cast.ts'

/** A verb with its values: what it asks of a store, and what the store answers. */
export type Asking = (store: EngineStore) => Promise<unknown>

/** What a verb is asked for is made ahead of time, so that it is the same whoever goes first. */
type Verb = (bench: Bench, cast: Cast) => Asking

/** Verbs that pass over what another has locked, and come back for it: what they did not get is asked for again. */
export const PASSING: ReadonlySet<string> = new Set([
  'claim one',
  'claim all',
  'recover',
  'promote',
  'fire',
  'fire and displace',
])

export const VERBS: Readonly<Record<string, Verb>> = {
  'claim one': (_bench, cast) => claiming(cast, 1),
  'claim all': (_bench, cast) => claiming(cast, 10),
  renew:
    (_bench, { lapsed }) =>
    ({ nodes }) =>
      nodes.renew(lapsed, LEASE_MS),
  leave:
    (_bench, { lapsed }) =>
    ({ nodes }) =>
      nodes.remove(lapsed),
  succeed:
    (_bench, { plain }) =>
    ({ leases }) =>
      leases.finish([success(plain)]),
  'succeed with a result':
    (_bench, { plain }) =>
    ({ leases }) =>
      leases.finish([success(plain, { output: '1' })]),
  fail: (_bench, cast) => ending(cast, 'FAILED'),
  'time out': (_bench, cast) => ending(cast, 'TIMEOUT'),
  retry:
    (_bench, { plain }) =>
    ({ leases }) =>
      leases.retry([{ ...plain, status: 'FAILED', error: failure, delayMs: 0 }]),
  release:
    (_bench, { plain }) =>
    ({ leases }) =>
      leases.release([plain]),
  progress:
    (_bench, { plain }) =>
    ({ leases }) =>
      leases.progress([{ ...plain, fraction: 0.5, note: 'half' }]),
  recover: () => async (store) => {
    const recovered = await store.leases.recover({ silentForMs: null, limit: 10 })
    return recovered.toSorted((a, b) => (a.executionId < b.executionId ? -1 : 1))
  },
  promote:
    () =>
    ({ leases }) =>
      leases.promote(10),
  cancel: (_bench, { plain }) => cancelling(plain.executionId, false),
  'cancel the run': (_bench, { run }) => cancelling(run.executionId, false),
  'end the run by force': (_bench, { run }) => cancelling(run.executionId, true),
  'limit to one': () => limiting(1),
  'limit to none': () => limiting(0),
  'lift the limit': () => limiting('unlimited'),
  'limit others': () => async (store) => {
    await store.tenants.limitOthers(1)
  },
  approve: (_bench, { unapproved }) => putting({ ...unapproved, status: 'APPROVED', resumeStatus: null, version: 2 }),
  'edit what waits for approval': (_bench, { unapproved }) => putting(edited(unapproved)),
  'edit the job': (_bench, { job }) => putting(edited(job)),
  'pause the job': (_bench, { job }) => putting({ ...job, status: 'PAUSED', resumeStatus: 'ACTIVE', version: 2 }),
  'reschedule the job': (_bench, { job }) => {
    const schedule = { ...job.schedule, nextFireAt: (job.schedule.nextFireAt ?? 0) + HOUR }
    return putting({ ...job, schedule, version: 2 }, job.schedule.nextFireAt)
  },
  'remove the job':
    (_bench, { job }) =>
    ({ jobs }) =>
      jobs.remove([job.id]),
  fire: (bench, { job, executionIds }) => {
    const firing = bench.firing(job)
    executionIds.push(...firing.fired.map(({ body }) => body.id))
    return ({ occurrences }) => occurrences.fire([firing])
  },
  'fire and displace': (bench, { job, plain, executionIds }) => {
    const { executionId } = plain
    const change = {
      jobId: job.id,
      scheduledAt: bench.now,
      epoch: null,
      decision: 'consolidated',
      cause: 'overlap',
    } as const
    const firing = bench.firing(job, { displaced: [{ ...change, executionId }] })
    executionIds.push(...firing.fired.map(({ body }) => body.id))
    return ({ occurrences }) => occurrences.fire([firing])
  },
  record:
    (_bench, { run }) =>
    ({ histories }) =>
      histories.record([item(run, settled(1))]),
  'record a timer':
    (bench, { run }) =>
    ({ histories }) =>
      histories.record([item(run, settled(2, { kind: 'timer', isTimer: true, dueAt: bench.now }))]),
  park:
    (bench, { run }) =>
    ({ histories }) =>
      histories.park([{ ...run, dueAt: bench.now + HOUR }]),
  wake:
    (_bench, { run }) =>
    ({ histories }) =>
      histories.wake([run.executionId]),
  signal: (_bench, { run }) => signalling(run.executionId, null),
  'signal with a key': (_bench, { run }) => signalling(run.executionId, 'once'),
  'start a child': (bench, { run, executionIds }) => {
    const child = bench.execution({ tenant: TENANT, options: { parent: run.executionId } })
    executionIds.push(child.body.id)
    const entries = [begun(2, { kind: 'start', childId: child.body.id })]
    return ({ histories }) => histories.startChildren([{ ...run, entries, child }])
  },
  diverge:
    (_bench, { run }) =>
    ({ histories }) =>
      histories.diverge([{ ...run, divergence: MISMATCH }]),
  'continue as new': (_bench, { run }) => {
    const entry = begun(0, { kind: 'input', status: 'COMPLETED', input: '1' })
    return ({ histories }) => histories.continueAs([{ ...run, entry }])
  },
  'end the run':
    (_bench, { run }) =>
    ({ leases }) =>
      leases.finish([success(run, { output: '2' })]),
  'enqueue with a key': (bench, cast) => enqueuing(bench, cast, '1'),
  'enqueue other input with the key': (bench, cast) => enqueuing(bench, cast, '2'),
  'enqueue behind': (bench, { plain, executionIds }) => {
    const follower = bench.execution({ tenant: TENANT, after: [{ id: plain.executionId, on: 'end' }] })
    executionIds.push(follower.body.id)
    return ({ executions }) => executions.enqueue([follower])
  },
  purge:
    (bench) =>
    ({ executions }) =>
      executions.purge(bench.now, 10),
}

/** The lane walk of a claim says when to come again, which depends on what it met. */
function claiming({ alive }: Cast, limit: number): Asking {
  const request = { nodeId: alive, limit, queues: ['default'], jobTypes: ['import'], aged: 0 }
  return async ({ leases }) => {
    const { isNodeAlive, executions } = await leases.claim(request)
    const taken = executions.map(({ executionId, epoch, attempt }) => ({ executionId, epoch, attempt, isNodeAlive }))
    return taken.toSorted((a, b) => (a.executionId < b.executionId ? -1 : 1))
  }
}

function ending({ plain, job }: Cast, status: FinalStatus): Asking {
  const end = success(plain, { status, error: failure, faultsJobId: job.id })
  return ({ leases }) => leases.finish([end])
}

function cancelling(id: string, force: boolean): Asking {
  return ({ executions }) => executions.cancel([{ id, reason: 'Not needed.', force }])
}

function limiting(concurrency: TenantConcurrency): Asking {
  return async ({ tenants }) => {
    await tenants.limit([{ tenant: TENANT, concurrency }])
  }
}

function edited(job: Job): Job {
  return { ...job, definition: { ...job.definition, payload: '"edited"' }, version: 2 }
}

function putting(job: Job, expectedNextFireAt?: number | null): Asking {
  const change = {
    job,
    expectedVersion: 1,
    ledger: [],
    ...(expectedNextFireAt !== undefined && { expectedNextFireAt }),
  }
  return ({ jobs }) => jobs.put([change])
}

function signalling(executionId: string, idempotencyKey: string | null): Asking {
  return ({ histories }) => histories.signal([{ executionId, name: 'go', payload: '1', idempotencyKey }])
}

function enqueuing(bench: Bench, { executionIds }: Cast, payload: string): Asking {
  const execution = bench.execution({ tenant: TENANT, payload, idempotencyKey: 'once' })
  executionIds.push(execution.body.id)
  return async ({ executions }) => {
    try {
      return await executions.enqueue([execution])
    } catch (error) {
      if (error instanceof IdempotencyError) return 'refused'
      throw error
    }
  }
}
