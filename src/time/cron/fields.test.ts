import { describe, expect, it } from 'vitest'
import { refusal } from '../../../test/harness/instants.ts'
import { parseCron } from './parse.ts'

const identities = Array.from({ length: 1_000 }, (_, index) => `job-${index}`)

function fieldOf(expression: string, identity: string, index: number): string {
  return parseCron(expression, { identity }).expression.split(' ')[index] ?? ''
}

describe('H', () => {
  it('is the same for one identity, whenever it is asked', () => {
    expect(parseCron('H H * * *', { identity: 'closing' }).expression).toBe(
      parseCron('H  H * * *', { identity: 'closing' }).expression,
    )
  })

  it('uses nearly all minutes over a thousand identities', () => {
    const minutes = new Set(identities.map((identity) => fieldOf('H * * * *', identity, 0)))
    expect(minutes.size).toBeGreaterThanOrEqual(58)
  })

  it('does not tie the hour to the minute', () => {
    const times = new Set(identities.map((identity) => parseCron('H H * * *', { identity }).expression))
    expect(times.size).toBeGreaterThan(600)
  })

  it.each([
    ['minute', 'H * * * *', 0, 0, 59],
    ['hour', '0 H * * *', 1, 0, 23],
    ['day of month, which every month has', '0 0 H * *', 2, 1, 28],
    ['month', '0 0 1 H *', 3, 1, 12],
    ['day of week, Sunday once', '0 0 * * H', 4, 0, 6],
    ['second', 'H * * * * *', 0, 0, 59],
    ['range', 'H(10-19) * * * *', 0, 10, 19],
    ['range of one', 'H(7-7) * * * *', 0, 7, 7],
    ['range up to the end of the month', '0 0 H(25-31) * *', 2, 25, 31],
  ])('stays within the %s and reaches both its ends', (_what, expression, index, min, max) => {
    const values = identities.map((identity) => Number(fieldOf(expression, identity, index)))
    expect([Math.min(...values), Math.max(...values)]).toEqual([min, max])
  })

  it.each([
    ['H/15 * * * *', 15, 0, 59, 4],
    ['h/15 * * * *', 15, 0, 59, 4],
    ['H(0-29)/10 * * * *', 10, 0, 29, 3],
    ['H(30-40)/20 * * * *', 20, 30, 40, 1],
  ])('%s keeps the step, from a start of its own', (expression, step, min, max, count) => {
    const starts = new Set<number>()
    for (const identity of identities) {
      const { times } = parseCron(expression, { identity })
      const minutes = Array.from({ length: 60 }, (_, minute) => minute).filter((minute) => times.has(minute * 60_000))
      const [start = Number.NaN] = minutes
      expect(minutes).toEqual(Array.from({ length: count }, (_, index) => start + index * step))
      expect(start).toBeGreaterThanOrEqual(min)
      expect(minutes.at(-1)).toBeLessThanOrEqual(max)
      starts.add(start)
    }
    expect(starts.size).toBe(Math.min(step, max - min + 1))
  })

  it('stands in a list', () => {
    expect(fieldOf('5,H(30-30) * * * *', 'closing', 0)).toBe('5,30')
  })

  it('leaves names that contain an H alone', () => {
    expect(parseCron('0 0 * MAR THU').expression).toBe('0 0 * MAR THU')
  })

  it.each([
    ['H * * * *', 'minute', 'H needs the identity'],
    ['0 0 * * H', 'day-of-week', 'H needs the identity'],
    ['0 5,H * * *', 'hour', 'H needs the identity'],
  ])('is refused without an identity: %s', (expression, field, reason) => {
    const error = refusal(() => parseCron(expression))
    expect(error.code).toBe('cron.field_invalid')
    expect(error.message).toContain(`Cron ${field} must be`)
    expect(error.message).toContain(reason)
  })

  it.each([
    'H(20-10) * * * *',
    'H(0-60) * * * *',
    'H(5) * * * *',
    'H() * * * *',
    'H/0 * * * *',
    'H/60 * * * *',
    'H- * * * *',
    'HH * * * *',
    'H-5 * * * *',
    'H(0-29)/ * * * *',
  ])('is refused in the form %s', (expression) => {
    expect(refusal(() => parseCron(expression, { identity: 'closing' }))).toMatchObject({
      code: 'cron.field_invalid',
      details: { field: 'minute' },
    })
  })

  it('does not remember an identity for an expression that has none', () => {
    parseCron('H 3 * * *', { identity: 'closing' })
    expect(refusal(() => parseCron('H 3 * * *')).code).toBe('cron.field_invalid')
  })
})
