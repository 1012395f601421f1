import { expect, it } from 'vitest'
import { HOUR_MS } from '../../duration.ts'
import type { Job } from '../../job/job.ts'
import { calendarFrom } from '../../time/calendars/from-json.ts'
import { DEFAULT_THRESHOLD_MS, type MisfireCause } from '../../time/misfire/policy.ts'
import { SearchTooLongError } from '../../time/search.ts'
import type { TriggerJson } from '../../time/triggers/json.ts'
import { resolveJob } from './fire-job.ts'

const START = Date.UTC(2026, 0, 1)
/** Every second second, of which the calendar leaves none. */
const TRIGGER: TriggerJson = {
  type: 'simple',
  startAt: '2026-01-01T00:00:00.000Z',
  intervalMs: 2_000,
  repeatCount: -1,
} as never
const CALENDAR = calendarFrom({ type: 'cron', expression: '*/2 * * * * *', timeZone: 'UTC' })

const JOB = {
  definition: {
    quartz: false,
    misfire: {
      policy: 'fireNow',
      thresholdMs: DEFAULT_THRESHOLD_MS,
      causes: {},
      catchUp: { limit: 1_000, maxAgeMs: null, spacingMs: 0, order: 'oldestFirst' },
    },
  },
  schedule: { currentTrigger: TRIGGER, nextFireAt: START, previousFireAt: null, timesTriggered: 0 },
} as unknown as Job

const resolve = (cause: MisfireCause) => resolveJob(JOB, CALENDAR, START + HOUR_MS, cause)

it('what was missed in an outage and cannot be worked out is an error', () => {
  expect(() => resolve('outage')).toThrow(SearchTooLongError)
})

it.each<MisfireCause>(['paused', 'edited'])(
  'what was held back by %s and cannot be worked out is dropped, as one',
  (cause) => {
    expect(resolve(cause)).toMatchObject({
      fire: [],
      ledger: [{ from: START, to: START + HOUR_MS, count: 1, decision: 'dropped', cause }],
      state: { nextFireAt: null },
    })
  },
)
