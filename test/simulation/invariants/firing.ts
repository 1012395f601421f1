import { hashDefinition } from '../../../src/engine/lifecycle/hash-definition.ts'
import type { Job } from '../../../src/job/job.ts'
import { triggerFrom } from '../../../src/time/triggers/from-json.ts'
import type { Commit } from '../commits.ts'
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

  afterCommit({ changes, at }: Commit, evidence: Evidence): void {
    for (const change of changes) {
      if (change.table === 'jobs' && change.after) {
        this.#noteJob(change.after, at)
        this.#noteApproval(change.after)
      }
      if (change.table !== 'executions' || !change.after || change.before) continue
      const { id, jobId, scheduledAt, origin, payload } = change.after
      if (jobId === null) continue
      this.#requireApproval(jobId, payload, evidence)
      if (origin !== 'schedule' || scheduledAt === null) continue
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

  atEnd({ tables, now, sometimes }: Evidence): void {
    for (const eras of this.#eras.values()) {
      for (const [index, { from, job }] of eras.entries()) {
        if (job.status !== 'ACTIVE' && job.status !== 'APPROVED') continue
        // What was due when it was paused is decided about when it goes on.
        const undecidedAt = tables.jobs.get(job.id)?.schedule.nextFireAt ?? Number.POSITIVE_INFINITY
        const to = Math.min(endOf(eras[index + 1]) ?? now() - PATIENCE_MS, undecidedAt - 1) - UNCERTAIN_MS
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
  #noteJob(job: Job, at: number): void {
    const eras = this.#eras.get(job.id) ?? []
    const last = eras.at(-1)?.job
    const isSame =
      last?.status === job.status && JSON.stringify(last.definition.trigger) === JSON.stringify(job.definition.trigger)
    if (!isSame) eras.push({ from: at, job })
    this.#eras.set(job.id, eras)
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
  if (next === undefined) return null
  const { definition, schedule } = next.job
  const begins = schedule.nextFireAt === null ? null : triggerFrom(definition.trigger).previous(schedule.nextFireAt)
  return Math.min(next.from, begins ?? next.from)
}
