import { hashDefinition } from '../../../src/engine/lifecycle/hash-definition.ts'
import type { Job } from '../../../src/job/job.ts'
import type { Firing as FiredJob } from '../../../src/store/occurrences.ts'
import { triggerFrom } from '../../../src/time/triggers/from-json.ts'
import type { Commit } from '../commits.ts'
import type { Configuration } from '../swarm.ts'
import { type Evidence, type Invariant, require } from './invariant.ts'

/** How long after it an occurrence may still wait for somebody to decide about it. */
const PATIENCE_MS = 60_000

/** Whoever changes a job knows the store's time to within this: the latency of the network, both ways. */
const UNCERTAIN_MS = 1_000

/** A job as it was from an instant on. */
interface Era {
  readonly from: number
  readonly job: Job
}

/**
 * I1: an occurrence is fired at most once. I2: every occurrence was fired, or there is a row that says why not. I26: what is sensitive runs only as a second person has approved it.
 */
export class Firing implements Invariant {
  readonly #fired = new Map<string, string>()
  /** What a second person has said yes to. */
  readonly #approved = new Set<string>()
  readonly #eras = new Map<string, Era[]>()
  /** From when on a job fires at the times that it has now: nothing of the past does. */
  readonly #timed = new Map<string, { readonly trigger: string; readonly from: number }>()

  afterCommit({ changes, at, question, answer }: Commit, evidence: Evidence): void {
    if (question.verb === 'occurrences.fire') this.#noteMisfires(question.values, answer, evidence)
    for (const change of changes) {
      if (change.table === 'jobs' && change.after) {
        this.#noteJob(change.after, at, evidence)
        this.#noteApproval(change.after)
        const isVoided = change.before?.status === 'APPROVED' && change.after.status === 'PENDING_APPROVAL'
        if (isVoided) evidence.sometimes('an approval is voided by an edit')
      }
      if (change.table !== 'executions' || !change.after || change.before) continue
      const { id, jobId, scheduledAt, origin, payload } = change.after
      if (jobId === null) continue
      this.#requireApproval(jobId, payload, evidence)
      if (origin !== 'schedule' || scheduledAt === null) continue
      const timed = this.#timed.get(jobId)
      require(timed === undefined || scheduledAt >= timed.from - UNCERTAIN_MS, 'I23', () =>
        `${timed?.trigger} fires ${(timed?.from ?? 0) - scheduledAt} ms before anybody asked for it`)
      const occurrence = `${jobId} ${scheduledAt}`
      const before = this.#fired.get(occurrence)
      require(before === undefined, 'I1', () => `the occurrence ${occurrence} is fired as ${before} and as ${id}`)
      this.#fired.set(occurrence, id)
    }
    for (const change of changes) {
      if (change.table === 'occurrences' && change.after)
        evidence.sometimes(`an occurrence is ${change.after.decision}`)
    }
  }

  atEnd({ tables, clock, sometimes }: Evidence): void {
    for (const eras of this.#eras.values()) {
      for (const [index, { from, job }] of eras.entries()) {
        if (job.status !== 'ACTIVE' && job.status !== 'APPROVED') continue
        // What was due when it was paused is decided about when it goes on.
        const undecidedAt = tables.jobs.get(job.id)?.schedule.nextFireAt ?? Number.POSITIVE_INFINITY
        const to = Math.min(endOf(eras[index + 1]) ?? clock.now - PATIENCE_MS, undecidedAt - 1) - UNCERTAIN_MS
        for (const scheduledAt of triggerFrom(job.definition.trigger).between(from + UNCERTAIN_MS, to)) {
          const isFired = tables.occurrences.has(`${job.id}\0${scheduledAt}`)
          const missed = tables.missedByJob.rowsOf(job.id)
          const isTold = missed.some((row) => row.from <= scheduledAt && scheduledAt <= row.to)
          if (isTold) sometimes('an occurrence is not fired, and a row says why')
          require(isFired || isTold, 'I2', () =>
            `${job.name}: nobody knows what became of ${new Date(scheduledAt).toISOString()}`)
        }
      }
    }
  }

  /** Only what decides when it fires begins a new era. */
  #noteJob(job: Job, at: number, { clock, configuration }: Evidence): void {
    const trigger = JSON.stringify(job.definition.trigger)
    const isUnaware = clock.wasSetWithin(longestChange(configuration))
    if (this.#timed.get(job.id)?.trigger !== trigger) {
      this.#timed.set(job.id, { trigger, from: isUnaware ? Number.NEGATIVE_INFINITY : at })
    }
    const eras = this.#eras.get(job.id) ?? []
    const last = eras.at(-1)?.job
    const isSame = last?.status === job.status && JSON.stringify(last.definition.trigger) === trigger
    if (!isSame) {
      // A clock that was set back shows instants again, none of which has to be due once more. And who does not know of it yet counts from what it has shown before.
      const begin = isUnaware ? (beginOf(job) ?? at) : at
      eras.push({ from: Math.max(clock.furthest, begin), job })
    }
    this.#eras.set(job.id, eras)
  }

  #noteMisfires([firings]: readonly unknown[], answer: unknown, { tables, sometimes }: Evidence): void {
    for (const { jobId, ledger } of firings as readonly FiredJob[]) {
      if (ledger.length === 0 || !(answer as string[]).includes(jobId)) continue
      sometimes(`a misfire under ${tables.jobs.get(jobId)?.definition.misfire.policy}`)
    }
  }

  /** What was asked for while it was approved may be stored after the next edit: it runs what was approved, and nothing else. */
  #requireApproval(jobId: string, payload: string | null, { tables, sometimes }: Evidence): void {
    if (!tables.jobs.get(jobId)?.details.isSensitive) return
    sometimes('something sensitive runs')
    const isApproved = this.#approved.has(`${jobId} ${payload}`)
    require(isApproved, 'I26', () => `something sensitive runs that no second person has approved: ${payload}`)
  }

  #noteApproval({ id, name, status, definition, details }: Job): void {
    const { approval } = details
    if (status !== 'APPROVED' || approval?.hash !== hashDefinition(name, definition) || approval.by === 'ana') return
    this.#approved.add(`${id} ${definition.payload}`)
  }
}

/** When the one before ended: an edit counts from when it was decided, which may be some time before it is stored, and is told by where the new schedule begins. */
function endOf(next: Era | undefined): number | null {
  return next === undefined ? null : Math.min(next.from, beginOf(next.job) ?? next.from)
}

/** The last instant that its schedule does not look at any more. */
function beginOf({ definition, schedule }: Job): number | null {
  return schedule.nextFireAt === null ? null : triggerFrom(definition.trigger).previous(schedule.nextFireAt)
}

/** So long a change of a job may be under way, all its questions together. Whoever decided before the clock was set has not known of it. */
function longestChange({ rates }: Configuration): number {
  const isSlow = rates.slow !== undefined || rates.late !== undefined
  return 5_000 + (isSlow ? 30_000 : 0) + (rates.stalled === undefined ? 0 : 60_000)
}
