import type { Evidence } from '../evidence.ts'
import { grouped } from '../grouped.ts'
import type { JobRow, MissedRow, OccurrenceRow } from '../rows.ts'
import type { Findings, Rule } from '../rule.ts'

/** A job is due for the first time after it was made, by the clock of whoever made it: as far as that may be off. */
const BEGINNING_MS = 2_000

/** How long after it an occurrence may be undecided on a machine that has more to do than it can, beyond the time to the next. */
const UNDECIDED_MS = 30_000

/** I1: however many look at it, an occurrence becomes one execution. */
export const FIRED_ONCE: Rule = {
  invariant: 'I1',
  what: 'occurrences that were fired, each as one execution',
  check({ tables }, { saw, require }) {
    const scheduled = tables.executions.filter(({ origin }) => origin === 'schedule')
    const byInstant = grouped(scheduled, ({ jobId, scheduledAt }) => `${jobId} ${scheduledAt}`)
    for (const executions of byInstant.values()) {
      saw()
      const { jobId, scheduledAt } = executions[0] ?? {}
      require(executions.length === 1, () =>
        `the occurrence ${scheduledAt} of ${jobId} became ${executions.length} executions`, () => executions)
    }
  },
}

/** I2: every occurrence was fired, or there is a row that says why not, and only one of both. Which ones there should be is reckoned here. */
export const ACCOUNTED_FOR: Rule = {
  invariant: 'I2',
  what: 'occurrences that were due, each fired or with a row that says why not',
  check(evidence, findings) {
    const { tables, world } = evidence
    const occurrences = grouped(tables.occurrences, ({ jobId }) => jobId)
    const missed = grouped(tables.missed, ({ jobId }) => jobId)
    for (const schedule of world.schedules) {
      const jobs = tables.jobs.filter(({ name, tenant }) => name === schedule.name && tenant === schedule.tenant)
      for (const job of jobs) {
        const ledger = { occurrences: occurrences.get(job.id) ?? [], missed: missed.get(job.id) ?? [] }
        requireAccount(job, schedule.everyMs, ledger, findings)
        requireUpToDate(job, schedule.everyMs, evidence, findings)
      }
      findings.require(
        jobs.length === 1,
        () => `${jobs.length} jobs are called ${schedule.name}`,
        () => jobs,
      )
    }
  },
}

interface Ledger {
  readonly occurrences: readonly OccurrenceRow[]
  readonly missed: readonly MissedRow[]
}

function requireAccount(
  job: JobRow,
  everyMs: number,
  { occurrences, missed }: Ledger,
  { saw, require }: Findings,
): void {
  const fired = new Set(occurrences.map(({ scheduledAt }) => scheduledAt))
  const ranges = missed.toSorted((a, b) => a.fromAt - b.fromAt)
  const first = Math.ceil((job.createdAt + BEGINNING_MS) / everyMs) * everyMs
  for (let at = first; at < (job.nextFireAt ?? first); at += everyMs) {
    saw()
    const told = ranges.filter(({ fromAt, toAt }) => fromAt <= at && at <= toAt)
    const rows = told.length + (fired.has(at) ? 1 : 0)
    require(rows === 1, () =>
      `${rows === 0 ? 'nobody knows' : `${rows} rows tell`} what became of ${job.name} at ${new Date(at).toISOString()}`, () => [
      job,
      ...told,
      ...occurrences.filter(({ scheduledAt }) => Math.abs(scheduledAt - at) <= 3 * everyMs),
    ])
  }
  for (const range of ranges) {
    const inside = Math.floor(range.toAt / everyMs) - Math.ceil(range.fromAt / everyMs) + 1
    require(range.count === inside, () => `a row of ${job.name} counts ${range.count}, and ${inside} were due`, () => [
      range,
    ])
  }
  const strangers = occurrences.filter(({ scheduledAt }) => scheduledAt % everyMs !== 0)
  require(strangers.length === 0, () => `${job.name} was fired when it was not due`, () => strangers)
}

/** One that was paused in the end has nothing left that was due before. */
function requireUpToDate(job: JobRow, everyMs: number, { requests, wall }: Evidence, { require }: Findings): void {
  const pause = requests.findLast(
    ({ asked, answered }) =>
      asked.verb === 'pause' &&
      asked.subject === job.name &&
      asked.tenant === job.tenant &&
      answered?.outcome === 'accepted',
  )
  if (!pause || job.status !== 'PAUSED' || job.nextFireAt === null) return
  const behindMs = wall(pause.asked.at) - job.nextFireAt
  require(behindMs <= UNDECIDED_MS + everyMs, () =>
    `${job.name} was ${Math.round(behindMs)} ms behind when it was paused`, () => [job, pause])
}
