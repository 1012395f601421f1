import { MINUTE_MS } from '../../../../src/duration.ts'
/** A stretch of time in which nothing fires, within the window that is shown. */
export interface Outage {
  readonly from: number
  readonly to: number
}

export interface Window {
  readonly from: number
  readonly to: number
}

/** What dragging and arrows move by. */
export const STEP_MS = 5 * MINUTE_MS
const SHORTEST_MS = STEP_MS

export type Handle = 'from' | 'to' | 'both'

/** Where an outage is after a handle was moved: on whole steps, at least one step long, and within the window. */
export function moved(outage: Outage, handle: Handle, byMs: number, window: Window): Outage {
  const snapped = (instant: number) => Math.round(instant / STEP_MS) * STEP_MS
  if (handle === 'both') {
    const length = outage.to - outage.from
    const from = Math.min(Math.max(snapped(outage.from + byMs), window.from), window.to - length)
    return { from, to: from + length }
  }
  if (handle === 'from') {
    const from = Math.min(Math.max(snapped(outage.from + byMs), window.from), outage.to - SHORTEST_MS)
    return { from, to: outage.to }
  }
  return { from: outage.from, to: Math.max(Math.min(snapped(outage.to + byMs), window.to), outage.from + SHORTEST_MS) }
}

/** How far an instant is into a window, from 0 to 1; what is outside stands at its edge. */
export function shareOf(instant: number, { from, to }: Window): number {
  return Math.min(1, Math.max(0, (instant - from) / (to - from)))
}
