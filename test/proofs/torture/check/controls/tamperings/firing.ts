import { BEGUN_AT, EVERY_MS, JOB } from '../clean-history.ts'
import { removeOne, type Tampering } from './tampering.ts'

/** Of schedules and clocks. */
export const FIRING: readonly Tampering[] = [
  {
    name: 'an occurrence became two executions',
    invariant: 'I1',
    tamper: (history) => history.fire('tick again', JOB, BEGUN_AT + 4 * EVERY_MS, 'node-2'),
  },
  {
    name: 'an occurrence is dropped',
    invariant: 'I2',
    tamper: ({ tables }) => removeOne(tables.occurrences, ({ executionId }) => executionId === 'tick 4'),
  },
  {
    name: 'what was not fired is nowhere told',
    invariant: 'I2',
    tamper: ({ tables }) => tables.missed.splice(0),
  },
  {
    name: 'an occurrence was fired, and is told to be missed',
    invariant: 'I2',
    tamper: ({ tables }) => Object.assign(tables.missed[0] ?? {}, { fromAt: BEGUN_AT + 5 * EVERY_MS, count: 4 }),
  },
  {
    name: 'a schedule stood still long before it was paused',
    invariant: 'I2',
    tamper: (history) => {
      const asked = history.lines.filter((line) => line.kind === 'asked' && line.verb === 'pause')
      for (const line of asked) line.at += 60_000
    },
  },
  {
    name: 'an occurrence is fired by a clock that is fast',
    invariant: 'I23',
    tamper: ({ tables, one }) => {
      const tick = one(tables.occurrences, ({ executionId }) => executionId === 'tick 4')
      tick.recordedAt = tick.scheduledAt - 1
    },
  },
  {
    name: 'an execution is dated by a clock that is slow',
    invariant: 'I23',
    tamper: ({ tables, one }) => {
      one(tables.executions, ({ id }) => id === 'unanswered').createdAt -= 3_600_000
    },
  },
]
