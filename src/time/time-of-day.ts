import { InvalidInputError, quote } from '../errors.ts'

const TIME_OF_DAY = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.:](\d{3}))?)?$/
const ACCEPTED = '"HH:MM", "HH:MM:SS" or "HH:MM:SS.mmm" from 00:00 to 23:59:59.999'

/** Milliseconds since midnight on the wall. */
export function parseTimeOfDay(text: string, name: string): number {
  const parts = typeof text === 'string' ? TIME_OF_DAY.exec(text) : null
  if (!parts) {
    throw new InvalidInputError('time_of_day.invalid', `${name} must be ${ACCEPTED}, got ${quote(text)}.`, {
      name,
      received: text,
      accepted: ACCEPTED,
    })
  }
  const [, hour, minute, second = '0', millisecond = '0'] = parts
  return ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000 + Number(millisecond)
}

/** The shortest form that is read back as the same: `08:00`, `08:00:30`, `08:00:30.250`. */
export function formatTimeOfDay(milliseconds: number): string {
  const text = new Date(milliseconds).toISOString().slice(11, 23)
  return text.replace(/\.000$/, '').replace(/^(\d\d:\d\d):00$/, '$1')
}
