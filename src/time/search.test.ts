import { describe, expect, it } from 'vitest'
import { cronCalendar } from './calendars/times-of-day.ts'
import { SearchTooLongError, takeStep, withinSteps } from './search.ts'
import { initialState } from './trigger-state.ts'
import { cron } from './triggers/cron.ts'
import { withCalendar } from './triggers/with-calendar.ts'

const takeSteps = (count: number) => {
  for (let taken = 0; taken < count; taken += 1) takeStep()
}

describe('steps', () => {
  it('are without end where nobody counts them', () => {
    expect(() => takeSteps(1_000_000)).not.toThrow()
  })

  it.each<[string, () => unknown, boolean]>([
    ['as many as there are', () => withinSteps(10, () => takeSteps(10)), true],
    ['one more', () => withinSteps(10, () => takeSteps(11)), false],
    ['as many again, for another', () => [1, 2].map(() => withinSteps(10, () => takeSteps(10))), true],
    ['more inside than outside', () => withinSteps(10, () => withinSteps(20, () => takeSteps(15))), false],
    ['inside and then outside', () => withinSteps(10, () => [withinSteps(5, () => takeSteps(5)), takeSteps(6)]), false],
    [
      'more inside, which is not told',
      () => withinSteps(10, () => attempt(() => withinSteps(5, () => takeSteps(6)))),
      true,
    ],
  ])('may be taken: %s', (_what, work, mayBe) => {
    if (mayBe) expect(work).not.toThrow()
    else expect(work).toThrow(SearchTooLongError)
  })

  it('are counted from the beginning after a failure', () => {
    expect(() => withinSteps(1, () => takeSteps(2))).toThrow(SearchTooLongError)
    expect(() => takeSteps(100)).not.toThrow()
  })
})

function attempt(work: () => void): void {
  try {
    work()
  } catch {
    // Whoever gave fewer has been told.
  }
}

describe('a trigger that moves to days on which it is excluded', () => {
  const trigger = withCalendar(cron('* * * * *'), cronCalendar('0 * * * * *'), { onExcluded: 'nextDay' })

  it('is not looked for longer than there are steps', () => {
    expect(() => withinSteps(10_000, () => initialState(trigger, 0))).toThrow(SearchTooLongError)
  })

  it('is taken never to fire once it was looked for long enough', () => {
    expect(initialState(trigger, 0).nextFireAt).toBeNull()
  })
})
