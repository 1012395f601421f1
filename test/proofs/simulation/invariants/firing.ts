import { hashDefinition } from '../../../../src/engine/lifecycle/hash-definition.ts'
import type { Job } from '../../../../src/job/job.ts'
import type { Fired, Firing as FiredJob } from '../../../../src/store/occurrences.ts'
import { triggerFrom } from '../../../../src/time/triggers/from-json.ts'
import type { Commit } from '../commits.ts'
import type { Question } from '../network.ts'
import type { Wish } from '../requests/asking.ts'
import { type Evidence, type Invariant, require } from './invariant.ts'

/** Whoever changes a job knows the store's time to within this: the latency of the network, both ways. */
const UNCERTAIN_MS = 1_000

/** By then whoever asks for something has heard that the clock was set; but a slow answer leaves open what it shows. */
const KNOWN_MS = 3_000
const SLOWLY_KNOWN_MS = 60_000

/** So long after its sender was told that the connection is lost a question may still come. */
const LATEST_MS = 10_000

/** At the earliest and at the latest. */
interface Asked {
  readonly least: number
  readonly most: number
}

/**
 * I1: an occurrence is fired at most once. I2: every occurrence was fired, or there is a row that says why not, in the very commit that moves a job past it; whatever the clock shows, and how often. I26: what is sensitive runs only as a second person has approved it.
 */
export class Firing implements Invariant {
  readonly #fired = new Map<string, string>()
  /** What a second person has said yes to. */
  readonly #approved = new Set<string>()
  /** From when on a job fires at the times that it has now: nothing of the past does. */
  readonly #timed = new Map<string, { readonly trigger: string; readonly from: number }>()

  afterCommit({ changes, question, answer }: Commit, evidence: Evidence): void {
    if (question.verb === 'occurrences.fire') this.#noteMisfires(question.values, answer, evidence)
    for (const change of changes) {
      if (change.table === 'jobs' && change.after) {
        const asked = askedWhen(change.after, question, evidence)
        this.#requireDecided(change.before, change.after, asked, evidence)
        this.#noteTiming(change.after, asked)
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

  /** What a job leaves behind: up to where it stands now, or, where it got other times, up to where those begin or somebody asked for them. */
  #requireDecided(before: Job | null, after: Job, asked: Asked, { tables, sometimes }: Evidence): void {
    const from = before?.schedule.nextFireAt ?? null
    if (!before || from === null) return
    const isSame = timesOf(before) === timesOf(after)
    const to = isSame ? after.schedule.nextFireAt : Math.max(beginOf(after) ?? from, asked.least - UNCERTAIN_MS)
    require(!isSame || (to ?? from) >= from, 'I1', () => `${after.name} goes back by ${from - (to ?? from)} ms`)
    const missed = tables.missedByJob.rowsOf(after.id)
    for (const scheduledAt of triggerFrom(before.definition.trigger).between(from, to ?? from)) {
      const isFired = tables.occurrences.has(`${after.id}\0${scheduledAt}`)
      const isTold = missed.some((row) => row.from <= scheduledAt && scheduledAt <= row.to)
      if (isTold) sometimes('an occurrence is not fired, and a row says why')
      require(isFired || isTold, 'I2', () =>
        `${after.name}: nobody knows what became of ${new Date(scheduledAt).toISOString()}`)
    }
  }

  /** Other times count from when somebody asked for them. */
  #noteTiming(job: Job, asked: Asked): void {
    const trigger = timesOf(job)
    if (this.#timed.get(job.id)?.trigger === trigger) return
    this.#timed.set(job.id, { trigger, from: asked.least })
    const latest = triggerFrom(job.definition.trigger).next(asked.most + UNCERTAIN_MS)
    const { nextFireAt } = job.schedule
    require(latest === null || (nextFireAt !== null && nextFireAt <= latest), 'I2', () =>
      `${job.name} begins ${(nextFireAt ?? 0) - (latest ?? 0)} ms later than it was asked for`)
  }

  #noteMisfires([firings]: readonly unknown[], answer: unknown, { tables, sometimes }: Evidence): void {
    for (const { jobId, ledger } of firings as readonly FiredJob[]) {
      if (ledger.length === 0 || !(answer as Fired).jobIds.includes(jobId)) continue
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

/**
 * When a change of a job was decided, by the clock of the store: after somebody asked for it, and before it was sent. Who does not know yet that the clock was set counts from what it showed before.
 */
function askedWhen({ name }: Job, { askedAt }: Question, { clock, configuration, promised, now }: Evidence): Asked {
  const isOpen = ({ endedAt }: Wish) => endedAt === null || endedAt >= now() - LATEST_MS
  const begun = (promised.wished.get(name) ?? []).filter(isOpen).map(({ begunAt }) => begunAt)
  const wishedAt = Math.min(askedAt, ...begun)
  const { slow, late, stalled } = configuration.rates
  const isSlow = (slow ?? late ?? stalled) !== undefined
  const ahead = clock.aheadSince(wishedAt - (isSlow ? SLOWLY_KNOWN_MS : KNOWN_MS))
  return { least: wishedAt + ahead.least, most: askedAt + ahead.most }
}

function timesOf({ definition }: Job): string {
  return JSON.stringify(definition.trigger)
}

/** Right after the last instant that its schedule does not look at any more: an edit counts from when it was decided, which may be some time before it is stored. */
function beginOf({ definition, schedule }: Job): number | null {
  if (schedule.nextFireAt === null) return null
  const last = triggerFrom(definition.trigger).previous(schedule.nextFireAt)
  return last === null ? null : last + 1
}
