import { storyOf } from '../claims.ts'
import type { Evidence, Request } from '../evidence.ts'
import { grouped } from '../grouped.ts'
import type { Delayed } from '../rows.ts'
import type { Findings, Rule } from '../rule.ts'
import { acknowledgedBy } from './ending.ts'

/** Instants of lines and of the database are of one machine, and are rounded. */
const ROUNDED_MS = 2

/** I22: nothing begins before it is due, a retry no sooner than its job type says. */
export const NOT_BEFORE_DUE: Rule = {
  invariant: 'I22',
  what: 'delays and retries, none over before it was due',
  check(evidence, findings) {
    requireDue(evidence, findings)
    requireRetryDelay(evidence, findings)
    requireAskedDelay(evidence, findings)
  },
}

/** By what the server has seen. What is parked may be woken by something else than its time. */
function requireDue(evidence: Evidence, { saw, require }: Findings): void {
  for (const [id, changes] of evidence.changesOf) {
    let waiting: Delayed | null = null
    for (const change of changes) {
      if (change.kind === 'delayed') waiting = change
      if (change.kind !== 'claimed' || !waiting) continue
      const { isParked, isDiverged, dueAt } = waiting.detail
      waiting = null
      if (isParked || isDiverged || dueAt === null) continue
      saw()
      const earlyMs = dueAt - change.at
      require(earlyMs <= ROUNDED_MS, () => `${id} is claimed ${Math.round(earlyMs)} ms before it is due`, () =>
        storyOf(evidence, id))
    }
  }
}

/** By what its job type has promised. */
function requireRetryDelay(evidence: Evidence, { saw, require }: Findings): void {
  const least = new Map(evidence.world.jobTypes.map(({ id, leastRetryMs }) => [id, leastRetryMs]))
  for (const { executionId, epoch, status, endedAt } of evidence.tables.attempts) {
    if (status === 'LOST') continue
    const next = (evidence.changesOf.get(executionId) ?? []).find(
      (change) => change.kind === 'claimed' && change.epoch > epoch,
    )
    if (!next) continue
    saw()
    const leastMs = least.get(evidence.executions.get(executionId)?.jobType ?? '') ?? 0
    require(next.at - endedAt >= leastMs - ROUNDED_MS, () =>
      `${executionId} is tried again after ${Math.round(next.at - endedAt)} ms, and not ${leastMs}`, () =>
      storyOf(evidence, executionId))
  }
}

/** By what clients have asked for, and handlers have done. The first who asks with a key decides, also where he was not answered. */
function requireAskedDelay(evidence: Evidence, { saw, require }: Findings): void {
  const enqueues = evidence.requests.filter(
    ({ asked }) => asked.verb === 'enqueue' && asked.idempotencyKey !== undefined,
  )
  for (const same of grouped(
    enqueues,
    ({ asked }) => `${asked.tenant} ${asked.subject} ${asked.idempotencyKey}`,
  ).values()) {
    const [first] = same as [Request, ...Request[]]
    const { delayMs } = first.asked
    const [id] = same.flatMap(acknowledgedBy)
    const began = id === undefined ? undefined : evidence.effectsOf.get(id)?.[0]
    if (delayMs === undefined || began === undefined) continue
    saw()
    const waitedMs = began.at - first.asked.at
    require(waitedMs >= delayMs - ROUNDED_MS, () =>
      `${id} began after ${Math.round(waitedMs)} ms, and not ${delayMs}`, () => [
      ...same,
      ...storyOf(evidence, id ?? ''),
    ])
  }
}
