import { expect, it } from 'vitest'
import { toldChanges } from './told-changes.ts'

const change = (field: string, approved: unknown, current: unknown) => ({
  field,
  approved,
  current,
  isApprovedKnown: true,
})
const cron = (expression: string, more: object = {}) => ({ type: 'cron', expression, timeZone: 'UTC', ...more })
const rescheduled = change('cronExpression', '0 1 * * *', '0 2 * * *')

it.each([
  ['one expression for another', cron('0 1 * * *'), cron('0 2 * * *'), false],
  ['the first time', null, cron('0 2 * * *'), false],
  ['an end besides', cron('0 1 * * *'), cron('0 2 * * *', { endAt: '2027-01-01T00:00:00Z' }), true],
  ['the first time with an end', null, cron('0 2 * * *', { endAt: '2027-01-01T00:00:00Z' }), true],
  ['another kind before', { type: 'once', at: '2027-01-01T00:00:00Z' }, cron('0 2 * * *'), true],
  ['another kind now', cron('0 1 * * *'), { type: 'once', at: '2027-01-01T00:00:00Z' }, true],
])('a cron trigger is left out where it tells nothing more: %s', (_, approved, current, isTold) => {
  const told = toldChanges([rescheduled, change('trigger', approved, current)]).map(({ field }) => field)
  expect(told).toEqual(isTold ? ['cronExpression', 'trigger'] : ['cronExpression'])
})

it('a trigger that alone has changed is told', () => {
  const changes = [change('trigger', cron('0 1 * * *'), cron('0 1 * * *', { dayRule: 'and' }))]
  expect(toldChanges(changes)).toEqual(changes)
})
