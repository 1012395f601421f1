import { InvalidInputError } from '../../src/errors.ts'
import type { Trigger } from '../../src/time/triggers/trigger.ts'

/** The instant of a wall time in a zone, the first where it comes twice; or of a time with an offset or Z. */
export function at(text: string, zone = 'UTC'): number {
  if (/(?:Z|[+-]\d\d:\d\d)$/.test(text)) return Date.parse(text)
  const local = Date.parse(`${text.includes('T') ? text : `${text}T00:00`}Z`)
  // Asked of `Intl` half a day before and after, so that the answer owes nothing to the code under test.
  for (const near of [-43_200_000, 43_200_000]) {
    const instant = local - offsetAt(local + near, zone)
    if (instant + offsetAt(instant, zone) === local) return instant
  }
  throw new Error(`The wall in ${zone} never shows ${text}.`)
}

/** An instant as the wall of a zone shows it, with its offset: `2026-03-08T03:00-04:00`. Zero seconds are left out. */
export function wall(instant: number | null, zone = 'UTC'): string | null {
  if (instant === null) return null
  const offset = offsetAt(instant, zone)
  const time = new Date(instant + offset).toISOString().slice(0, -1)
  const minutes = Math.abs(offset) / 60_000
  const clock = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')
  return time.replace(/\.000$/, '').replace(/:00$/, '') + (offset === 0 ? 'Z' : `${offset < 0 ? '-' : '+'}${clock}`)
}

const formats = new Map<string, Intl.DateTimeFormat>()

function offsetAt(instant: number, zone: string): number {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
  formats.set(zone, format)
  const name = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours, minutes] = /^GMT([+-])(\d\d):(\d\d)$/.exec(name) ?? []
  const distance = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000
  return sign === '-' ? -distance : distance
}

/**
 * The fire times from one wall time of the trigger's zone up to another. Looks for them forwards and backwards and counts them: that all
 * three agree is part of every table.
 */
export function fireTimes(trigger: Trigger, from: string, to: string, zone = trigger.timeZone): number[] {
  const [start, end] = [at(from, zone), at(to, zone)]
  const forwards = [...trigger.between(start, end)]
  const backwards: number[] = []
  for (let time = trigger.previous(end); time !== null && time >= start; time = trigger.previous(time)) {
    backwards.push(time)
  }
  backwards.reverse()
  const count = trigger.count(start, end)
  if (backwards.join() !== forwards.join() || count !== forwards.length) {
    const [next, previous] = [forwards, backwards].map((times) => times.map((time) => wall(time, zone)).join(' '))
    throw new Error(`next finds ${next}; previous ${previous}; count ${count}.`)
  }
  return forwards
}

/** The same as the wall shows them. */
export function fires(trigger: Trigger, from: string, to: string, zone = trigger.timeZone): (string | null)[] {
  return fireTimes(trigger, from, to, zone).map((time) => wall(time, zone))
}

/** The first fire times at or after a wall time. */
export function firstFires(trigger: Trigger, from: string, count: number, zone = trigger.timeZone): (string | null)[] {
  const shown: (string | null)[] = []
  for (let time = trigger.next(at(from, zone) - 1); shown.length < count && time !== null; time = trigger.next(time)) {
    shown.push(wall(time, zone))
  }
  return shown
}

/** What a refusal says. Fails where nothing is refused, or where something else than a refusal is thrown. */
export function refusal(run: () => unknown): InvalidInputError {
  try {
    run()
  } catch (error) {
    if (error instanceof InvalidInputError) return error
    throw error
  }
  throw new Error('Nothing was refused.')
}

/** The median of some runs, in milliseconds of real time. */
export function medianMs(run: () => unknown, runs = 11): number {
  const times = Array.from({ length: runs }, () => {
    const start = process.hrtime.bigint()
    run()
    return Number(process.hrtime.bigint() - start) / 1e6
  })
  return times.sort((left, right) => left - right)[Math.floor(runs / 2)] ?? Number.NaN
}
