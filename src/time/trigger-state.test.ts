import { describe, expect, it } from 'vitest'
import { weeklyCalendar } from './calendars/weekly.ts'
import { initialState, stateAfterFire, type TriggerState } from './trigger-state.ts'
import { cron } from './triggers/cron.ts'
import { dailyTimeInterval } from './triggers/daily-time-interval.ts'
import { once } from './triggers/once.ts'
import { simple } from './triggers/simple.ts'

const at = (text: string) => Date.parse(`${text}:00Z`)

function fireTimes(state: TriggerState, calendar = weeklyCalendar({ weekdays: [] })): string[] {
  const found: string[] = []
  for (
    let current = state;
    current.nextFireAt !== null && found.length < 10;
    current = stateAfterFire(current, calendar)
  ) {
    found.push(new Date(current.nextFireAt).toISOString().slice(0, 16))
  }
  return found
}

describe('a trigger state', () => {
  it('waits for the first fire time after an instant', () => {
    expect(initialState(cron('0 9 * * *'), null, at('2026-03-06T10:00')).nextFireAt).toBe(at('2026-03-07T09:00'))
  })

  it('waits for the first included fire time', () => {
    const state = initialState(cron('0 9 * * *'), weeklyCalendar(), at('2026-03-06T10:00'))
    expect(state.nextFireAt).toBe(at('2026-03-09T09:00'))
  })

  it('moves on with each fire', () => {
    const state = initialState(once(at('2026-03-06T10:00')))
    expect(stateAfterFire(state)).toMatchObject({
      previousFireAt: at('2026-03-06T10:00'),
      nextFireAt: null,
      timesTriggered: 1,
    })
    expect(stateAfterFire(stateAfterFire(state))).toEqual(stateAfterFire(state))
  })
})

describe('excluded time', () => {
  // Friday 2026-03-06, with a weekend behind it.
  const weekend = weeklyCalendar()

  it('uses up the repeats of a simple trigger, which counts the steps of its pattern', () => {
    const trigger = simple({ startAt: at('2026-03-06T12:00'), interval: '1d', repeatCount: 3 })
    expect(fireTimes(initialState(trigger, weekend), weekend)).toEqual(['2026-03-06T12:00', '2026-03-09T12:00'])
  })

  it('uses up no repeats of a daily interval, which counts its fires', () => {
    const trigger = dailyTimeInterval({
      every: 12,
      unit: 'hour',
      from: '12:00',
      startAt: at('2026-03-06T00:00'),
      repeatCount: 2,
    })
    expect(fireTimes(initialState(trigger, weekend), weekend)).toEqual([
      '2026-03-06T12:00',
      '2026-03-09T12:00',
      '2026-03-10T12:00',
    ])
  })
})
