import { requireList, requireOneOf } from '../require.ts'
import { type MisfireCause, type MisfireRules, policyFor, requireRules } from './policy.ts'
import type { FiredOccurrence, LedgerEntry, MissedDecision } from './resolve.ts'

/** Why an occurrence that was fired had to wait. */
export type WaitingCause = 'outage' | 'overload' | 'overlap'

const WAITING_CAUSES: readonly WaitingCause[] = ['outage', 'overload', 'overlap']

/** What becomes of occurrences of one job that were fired but had to wait. */
export interface WaitingResolution {
  readonly run: readonly FiredOccurrence[]
  readonly ledger: readonly LedgerEntry[]
}

/**
 * Decides about occurrences that wait for a slot (`overload`), for a node (`outage`) or for the run before them (`overlap`), oldest first. Those that wait no
 * longer than the threshold run as on time; once the oldest is late the policy decides about all. They were fired already, so that `fireAll`
 * runs every one.
 */
export function resolveWaiting(
  occurrences: readonly number[],
  rules: MisfireRules,
  now: number,
  cause: WaitingCause,
): WaitingResolution {
  requireOneOf(cause, 'cause', WAITING_CAUSES)
  requireRules(rules)
  const waiting = requireList(occurrences, 'occurrences').toSorted((a, b) => a - b)
  const [oldest, newest] = [waiting.at(0), waiting.at(-1)]
  if (oldest === undefined || newest === undefined) return { run: [], ledger: [] }
  if (now - oldest <= rules.thresholdMs && cause !== 'overlap') return { run: waiting.map(onTime), ledger: [] }

  const chosen = policyFor(rules, cause)
  // What waits has no trigger to ask: it becomes one run.
  const policy = chosen === 'smart' ? 'fireNow' : chosen
  const late = (scheduledAt: number): FiredOccurrence => ({
    scheduledAt,
    runAt: now,
    misfire: { scheduledAt, detectedAt: now, delayMs: now - scheduledAt, policy, missedCount: waiting.length, cause },
  })
  switch (policy) {
    case 'fireAll':
    case 'ignore':
      return { run: waiting.map(late), ledger: [entry('firedLate', waiting, cause)] }
    case 'fireOnce':
      return consolidate(newest, waiting.slice(0, -1))
    case 'skipToNext':
    case 'rescheduleNextWithExistingCount':
    case 'rescheduleNextWithRemainingCount':
      return { run: [], ledger: [entry('skipped', waiting, cause)] }
    case 'fireNow':
    case 'rescheduleNowWithExistingCount':
    case 'rescheduleNowWithRemainingCount':
      return consolidate(oldest, waiting.slice(1))
  }

  function consolidate(chosen: number, others: readonly number[]): WaitingResolution {
    const ledger = [entry('firedLate', [chosen], cause)]
    if (others.length > 0) ledger.push(entry('consolidated', others, cause))
    return { run: [late(chosen)], ledger }
  }

  function onTime(scheduledAt: number): FiredOccurrence {
    return { scheduledAt, runAt: now }
  }
}

/** A row for occurrences in order. */
function entry(decision: MissedDecision, occurrences: readonly number[], cause: MisfireCause): LedgerEntry {
  const [from = 0, to = from] = [occurrences.at(0), occurrences.at(-1)]
  return { from, to, count: occurrences.length, decision, cause }
}
