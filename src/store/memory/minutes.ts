import { MINUTE_MS, MINUTES_KEPT_MS, type MinuteStore } from '../minutes.ts'
import type { Session } from './session.ts'
import type { Tables } from './tables.ts'

export function minuteStore(session: Session): MinuteStore {
  return {
    mark: () => session.statement(({ service }, now) => void service.minutes.add(minuteOf(now))),
    count: (since) =>
      session.statement(({ service: { minutes } }, now) => ({
        now,
        firstAt: minutes.size === 0 ? null : earliest(minutes),
        marked: [...minutes].filter((minute) => minute >= since && minute < minuteOf(now)).length,
      })),
  }
}

export function removePastMinutes({ service: { minutes } }: Tables, now: number): void {
  for (const minute of minutes) if (minute < now - MINUTES_KEPT_MS) minutes.delete(minute)
}

function minuteOf(instant: number): number {
  return Math.floor(instant / MINUTE_MS) * MINUTE_MS
}

/** Marked as they pass, so that the first is the earliest. */
function earliest(minutes: ReadonlySet<number>): number {
  const [first = 0] = minutes
  return first
}
