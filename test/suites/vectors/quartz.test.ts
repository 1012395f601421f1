import { describe, expect, it } from 'vitest'
import { type QuartzInstruction, stateAfterMisfire, stateWithNewCalendar } from '../../../src/time/misfire/quartz.ts'
import { initialState, stateAfterFire, type TriggerState } from '../../../src/time/trigger-state.ts'
import {
  calendarOf,
  comparable,
  type QuartzCalendar,
  type QuartzState,
  type QuartzTrigger,
  stateOf,
  triggerOf,
} from './quartz.ts'
import { differences, readVectors } from './vectors.ts'

interface SequenceRow {
  id: string
  trigger: QuartzTrigger
  calendar: QuartzCalendar | null
  first: number | null
  fires: (number | null)[]
  tags: string[]
}

interface MisfireRow {
  id: string
  trigger: QuartzTrigger
  calendar: QuartzCalendar | null
  misfire: string
  before: QuartzState
  now: number
  after: QuartzState
  next: (number | null)[]
  tags: string[]
}

interface NewCalendarRow {
  id: string
  trigger: QuartzTrigger
  before: QuartzState
  newCalendar: QuartzCalendar | null
  misfireThresholdMs: number
  now: number
  after: QuartzState
  next: (number | null)[]
  tags: string[]
}

const INSTRUCTIONS: Readonly<Record<string, QuartzInstruction>> = {
  SMART_POLICY: 'smart',
  IGNORE_MISFIRE_POLICY: 'ignore',
  FIRE_NOW: 'fireNow',
  FIRE_ONCE_NOW: 'fireNow',
  DO_NOTHING: 'skipToNext',
  RESCHEDULE_NOW_WITH_EXISTING_REPEAT_COUNT: 'rescheduleNowWithExistingCount',
  RESCHEDULE_NOW_WITH_REMAINING_REPEAT_COUNT: 'rescheduleNowWithRemainingCount',
  RESCHEDULE_NEXT_WITH_EXISTING_COUNT: 'rescheduleNextWithExistingCount',
  RESCHEDULE_NEXT_WITH_REMAINING_COUNT: 'rescheduleNextWithRemainingCount',
}

/** The next fire times after each of so many fires. */
function fire(state: TriggerState, calendar: QuartzCalendar | null, times: number): (number | null)[] {
  const found: (number | null)[] = []
  let current = state
  for (let time = 0; time < times; time++) {
    current = stateAfterFire(current, calendarOf(calendar))
    found.push(current.nextFireAt)
  }
  return found
}

const sequences = readVectors<{ vectors: SequenceRow[] }>('quartz-sequences.json')
const misfires = readVectors<{ vectors: MisfireRow[] }>('quartz-misfire.json')
const newCalendars = readVectors<{ vectors: NewCalendarRow[] }>('quartz-new-calendar.json')

describe('as Quartz', () => {
  it.skipIf(!sequences)('triggers fire in the same sequence', () => {
    const found = differences(
      sequences?.vectors ?? [],
      (row) => [row.first, ...row.fires],
      (row) => {
        const state = initialState(triggerOf(row.trigger), Number.NEGATIVE_INFINITY, calendarOf(row.calendar))
        return [state.nextFireAt, ...fire(state, row.calendar, row.fires.length)]
      },
    )
    expect(found).toEqual([])
  })

  it.skipIf(!misfires)('misfire instructions leave the same state', () => {
    const found = differences(
      misfires?.vectors ?? [],
      (row) => [comparable(stateOf(row.trigger, row.after), row.after), ...row.next],
      (row) => {
        const instruction = INSTRUCTIONS[row.misfire] ?? 'smart'
        const state = stateAfterMisfire(
          stateOf(row.trigger, row.before),
          instruction,
          row.now,
          calendarOf(row.calendar),
        )
        return [comparable(state, row.after), ...fire(state, row.calendar, row.next.length)]
      },
    )
    expect(found).toEqual([])
  })

  it.skipIf(!newCalendars)('a new calendar leaves the same state', () => {
    const found = differences(
      newCalendars?.vectors ?? [],
      (row) => [comparable(stateOf(row.trigger, row.after), row.after), ...row.next],
      (row) => {
        const before = stateOf(row.trigger, row.before)
        const state = stateWithNewCalendar(before, calendarOf(row.newCalendar), row.misfireThresholdMs, row.now)
        return [comparable(state, row.after), ...fire(state, row.newCalendar, row.next.length)]
      },
    )
    expect(found).toEqual([])
  })
})
