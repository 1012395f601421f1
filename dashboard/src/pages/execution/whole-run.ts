import type { ExecutionDetailView } from '../../api/wire.ts'
import type { ActivityView } from './activity.ts'

/**
 * A durable execution from its first step on. What is recorded of its start is when it was last taken up again after it had waited; a person wants to know
 * since when it has been under way. Steps that it was given by another execution lie before its own creation.
 */
export function wholeRun(
  execution: ExecutionDetailView,
  entries: readonly Pick<ActivityView, 'startedAt'>[],
): ExecutionDetailView {
  const { createdAt, startedAt, completedAt, attempts } = execution
  const starts = [startedAt, ...entries.map((entry) => entry.startedAt)].filter((at) => at !== null && at >= createdAt)
  const begunAt = starts.reduce<string | null>((first, at) => (first === null || (at ?? '') < first ? at : first), null)
  if (begunAt === null || begunAt === startedAt) return execution
  const durationMs = completedAt === null ? null : Date.parse(completedAt) - Date.parse(begunAt)
  return {
    ...execution,
    startedAt: begunAt,
    durationMs,
    duration: durationMs === null ? null : durationMs / 1_000,
    // Of several attempts the first began it, and says so itself.
    attempts: attempts.length === 1 ? attempts.map((attempt) => ({ ...attempt, startedAt: begunAt })) : attempts,
  }
}
