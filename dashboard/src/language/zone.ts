import { signal } from '@preact/signals'
import { DAY_MS } from '../../../src/duration.ts'
import { keep, kept } from '../frame/kept.ts'

function browserZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

function initial(): string {
  const chosen = kept('zone')
  return chosen !== null && isZone(chosen) ? chosen : browserZone()
}

/** The zone in which whoever looks at the page reads times. */
export const viewerZone = signal(initial())

/** null: that of the browser. */
export function chooseZone(name: string | null): void {
  keep('zone', name)
  viewerZone.value = name ?? browserZone()
}

export function zones(): readonly string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone')]
}

/** Made once for each zone: making one costs more than using it a hundred times. */
const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone)
  if (known) return known
  const fields = { year: 'numeric', month: 'numeric', day: 'numeric' } as const
  const time = { hour: 'numeric', minute: 'numeric', second: 'numeric' } as const
  const clock = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...fields, ...time })
  clocks.set(timeZone, clock)
  return clock
}

/** How far a zone is ahead of UTC at an instant, in minutes. */
export function offsetMinutes(instant: number, timeZone: string): number {
  const parts = clockOf(timeZone).formatToParts(instant)
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value ?? 0)
  const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return Math.round((wall - Math.floor(instant / 1_000) * 1_000) / 60_000)
}

/** By how many minutes clocks are changed on the day of an instant: 60 forwards, -60 back, 0 for most days. */
export function clockChange(instant: number, timeZone: string): number {
  const offset = offsetMinutes(instant, timeZone)
  const wall = instant + offset * 60_000
  const midnight = Math.floor(wall / DAY_MS) * DAY_MS
  const startAt = midnight - offsetMinutes(midnight - offset * 60_000, timeZone) * 60_000
  const endAt = midnight + DAY_MS - offsetMinutes(midnight + DAY_MS - offset * 60_000, timeZone) * 60_000
  return Math.round((DAY_MS - (endAt - startAt)) / 60_000)
}
