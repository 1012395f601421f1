import { describe, expect, it } from 'vitest'
import { weeklyCalendar } from './calendars/days.ts'
import { initialState, stateAfterFire, type TriggerState, triggerStateFrom } from './trigger-state.ts'
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
    expect(initialState(cron('0 9 * * *'), at('2026-03-06T10:00')).nextFireAt).toBe(at('2026-03-07T09:00'))
  })

  it('waits for the first included fire time', () => {
    const state = initialState(cron('0 9 * * *'), at('2026-03-06T10:00'), weeklyCalendar())
    expect(state.nextFireAt).toBe(at('2026-03-09T09:00'))
  })

  it('moves on with each fire', () => {
    const state = initialState(once(at('2026-03-06T10:00')), 0)
    expect(stateAfterFire(state)).toMatchObject({
      previousFireAt: at('2026-03-06T10:00'),
      nextFireAt: null,
      timesTriggered: 1,
    })
    expect(stateAfterFire(stateAfterFire(state))).toEqual(stateAfterFire(state))
  })
})

describe('a stored trigger state', () => {
  it('is read back as it was', () => {
    const trigger = simple({ startAt: at('2026-03-06T12:00'), interval: '1d', repeatCount: 3 })
    const state = stateAfterFire(initialState(trigger, 0))
    const stored = triggerStateFrom(JSON.parse(JSON.stringify(state)))
    expect(JSON.parse(JSON.stringify(stored))).toEqual(JSON.parse(JSON.stringify(state)))
    expect(stateAfterFire(stored).nextFireAt).toBe(stateAfterFire(state).nextFireAt)
  })

  it.each([
    [{}, 'Trigger must have a type'],
    [{ trigger: { type: 'once', at: '2026-03-06T12:00:00Z' }, nextFireAt: 'soon' }, 'nextFireAt must be'],
    [{ nextFireAT: 1 }, 'Did you mean "nextFireAt"?'],
  ])('is refused when it is none: %j', (json, message) => {
    expect(() => triggerStateFrom(json)).toThrow(message)
  })
})

describe('excluded time', () => {
  // Friday 2026-03-06, with a weekend behind it.
  const weekend = weeklyCalendar()

  it('uses up the repeats of a simple trigger, which counts the steps of its pattern', () => {
    const trigger = simple({ startAt: at('2026-03-06T12:00'), interval: '1d', repeatCount: 3 })
    expect(fireTimes(initialState(trigger, 0, weekend), weekend)).toEqual(['2026-03-06T12:00', '2026-03-09T12:00'])
  })

  it('uses up no repeats of a daily interval, which counts its fires', () => {
    const trigger = dailyTimeInterval({
      every: 12,
      unit: 'hour',
      from: '12:00',
      startAt: at('2026-03-06T00:00'),
      repeatCount: 2,
    })
    expect(fireTimes(initialState(trigger, 0, weekend), weekend)).toEqual([
      '2026-03-06T12:00',
      '2026-03-09T12:00',
      '2026-03-10T12:00',
    ])
  })
})
