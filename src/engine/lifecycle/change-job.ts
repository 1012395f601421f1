import type { Env } from '../../clock.ts'
import { PontualError } from '../../errors.ts'
import type { Job } from '../../job/job.ts'
import { JobConflictError } from '../../job/job-status.ts'
import type { CancelRequest } from '../../store/executions.ts'
import type { JobChange } from '../../store/jobs.ts'
import type { Firing, WaitingChange } from '../../store/occurrences.ts'
import type { TenantStore } from '../../store/store.ts'
import { formatInstant } from '../../time/instant.ts'
import type { MisfirePolicy } from '../../time/misfire/policy.ts'
import type { LedgerEntry } from '../../time/misfire/resolve.ts'
import { cancelReplaced, tellCancelled } from '../firing/fire-job.ts'
import type { StoreTime } from '../node/store-time.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'

/** There is no such job. */
export class UnknownJobError extends PontualError {
  constructor(name: string) {
    super('job.unknown', `There is no job "${name}".`, { job: name })
  }
}

/** Another job of the tenant has the name. */
export function nameTaken(name: string): JobConflictError {
  return new JobConflictError('job.name_taken', `There is a job "${name}" already.`, { job: name })
}

/** How a job shall be, and what of its past is fired before. */
export interface JobDecision {
  readonly change: JobChange
  readonly firing?: Firing | undefined
  /** What decided about the past. */
  readonly policy?: MisfirePolicy | null | undefined
  /** What becomes of occurrences that wait, where nothing is fired; otherwise the firing tells it. */
  readonly displaced?: readonly WaitingChange[] | undefined
  /** What makes way for what is fired, and may be running. */
  readonly replaced?: readonly CancelRequest[] | undefined
}

/** Parts of the engine that a change of a job needs. */
export interface ChangeDeps {
  readonly env: Env
  readonly store: TenantStore
  readonly telemetry: Telemetry
  readonly time: StoreTime
}

const TRIES = 20

/** Reads a job, decides how it shall be, and writes it if nobody changed it meanwhile; otherwise decides anew. null: leave it. */
export async function changeJob<Found extends Job | null>(
  deps: ChangeDeps,
  name: string,
  read: () => Promise<Found>,
  decide: (job: Found) => Promise<JobDecision | null> | JobDecision | null,
): Promise<Job> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    await deps.time.keepUp()
    const job = await read()
    const decision = await decide(job)
    if (decision === null && job !== null) return job
    if (decision === null) throw new UnknownJobError(name)
    const changed = await carryOut(deps, decision)
    // Whoever makes a job looks again who has the name; to rename one there is nothing to look for.
    if (changed === 'nameTaken' && job !== null) throw nameTaken(decision.change.job.name)
    if (typeof changed === 'object') return changed
  }
  throw new PontualError('job.contended', `Job "${name}" was changed by others again and again; try again.`, {
    job: name,
  })
}

async function carryOut(deps: ChangeDeps, decision: JobDecision): Promise<Job | 'conflict' | 'nameTaken'> {
  const { store, telemetry } = deps
  const { change, firing, displaced = [], replaced = [] } = decision
  if (firing) {
    const { jobIds, ended } = await store.occurrences.fire([firing])
    if (jobIds.length === 0) return 'conflict'
    tellCancelled(telemetry, ended)
    await cancelReplaced(deps, replaced)
  }
  const [result] = await store.jobs.put([change])
  if (result !== 'stored') return result ?? 'conflict'
  if (displaced.length > 0) tellCancelled(telemetry, await store.occurrences.consolidate(displaced))
  const job = firing ? { ...change.job, schedule: firing.schedule } : change.job
  tellMissed(telemetry, job, firing?.ledger ?? change.ledger, decision.policy ?? 'skipToNext')
  return (await store.jobs.find([change.job.id]))[0] ?? change.job
}

/** One warning for a job, with how many it missed and what became of them. */
function tellMissed(
  telemetry: Telemetry,
  { id, name, tenant, schedule }: Job,
  ledger: readonly LedgerEntry[],
  policy: MisfirePolicy,
): void {
  const [first] = ledger
  if (!first) return
  telemetry.tell('job.misfired', {
    jobId: id,
    job: name,
    tenant,
    missed: ledger.reduce((sum, { count }) => sum + count, 0),
    policy,
    cause: first.cause,
    nextFireAt: schedule.nextFireAt === null ? null : formatInstant(schedule.nextFireAt),
  })
}

/** A job with something changed, as the store takes it; when it fires next stays as it is. */
export function changeOf(job: Job, change: Partial<Job>): JobChange {
  return { job: { ...job, ...change, version: job.version + 1 }, expectedVersion: job.version, ledger: [] }
}
