import { expect, it } from 'vitest'
import type { TriggerJson } from '../../../time/triggers/json.ts'
import { isFrequent } from './quotas.ts'

const cron = (expression: string) => ({ type: 'cron', expression, timeZone: 'UTC' })
const simple = (intervalMs: number, repeatCount = -1) => ({
  type: 'simple',
  startAt: '2026-01-01T00:00:00.000Z',
  intervalMs,
  repeatCount,
})

it.each<[boolean, unknown]>([
  [false, cron('* * * * *')],
  [false, cron('0 2 * * *')],
  [false, cron('@hourly')],
  [false, cron('30 * * * * *')],
  [false, cron(' 0 0 2 * * * ')],
  [true, cron('* * * * * *')],
  [true, cron('0,30 * * * * *')],
  [true, cron('*/59 * * * * *')],
  [false, simple(60_000)],
  [true, simple(59_999)],
  [false, simple(1_000, 0)],
  [true, { type: 'jittered', trigger: simple(1_000), withinMs: 5, identity: 'x' }],
  [true, { type: 'calendared', trigger: { type: 'jittered', trigger: cron('* * * * * *') } }],
  [false, { type: 'once', at: '2026-01-01T00:00:00.000Z' }],
])('more often than once a minute: %s for %j', (expected, json) => {
  expect(isFrequent(json as TriggerJson)).toBe(expected)
})
