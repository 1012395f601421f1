import { MINUTE_MS } from '../../../duration.ts'
import { MINUTES_KEPT_MS, type MinuteStore } from '../../minutes.ts'
import type { Tables } from '../schema/tables.ts'
import type { Session } from '../session.ts'

export function minuteStore(session: Session): MinuteStore {
  return {
    mark: (periodId) =>
      session.statement(({ service: { minutes, activePeriods } }, now) => {
        minutes.add(minuteOf(now))
        if (periodId === undefined) return
        const { from, to } = activePeriods.get(periodId) ?? { from: now, to: now }
        activePeriods.put({ id: periodId, from, to: Math.max(to, now) })
      }),
    count: (since) =>
      session.statement(({ service: { minutes } }, now) => ({
        now,
        firstAt: minutes.size === 0 ? null : earliest(minutes),
        marked: [...minutes].filter((minute) => minute >= since && minute < minuteOf(now)).length,
      })),
    active: (since) =>
      session.statement(({ service: { activePeriods } }) =>
        [...activePeriods.rows()]
          .filter(({ to }) => to > since)
          .map(({ from, to }) => ({ from, to }))
          .toSorted((a, b) => a.from - b.from || a.to - b.to),
      ),
  }
}

export function removePastMinutes({ service: { minutes, activePeriods } }: Tables, now: number): void {
  for (const minute of minutes) if (minute < now - MINUTES_KEPT_MS) minutes.delete(minute)
  for (const { id, to } of activePeriods.rows()) if (to < now - MINUTES_KEPT_MS) activePeriods.take(id)
}

function minuteOf(instant: number): number {
  return Math.floor(instant / MINUTE_MS) * MINUTE_MS
}

/** Marked as they pass, so that the first is the earliest. */
function earliest(minutes: ReadonlySet<number>): number {
  const [first = 0] = minutes
  return first
}
