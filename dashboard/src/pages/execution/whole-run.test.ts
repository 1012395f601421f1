import { describe, expect, it } from 'vitest'
import type { ExecutionDetailView } from '../../api/wire.ts'
import { wholeRun } from './whole-run.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString()
const execution = {
  createdAt: at(0),
  startedAt: at(15),
  completedAt: at(16),
  durationMs: 1_000,
  attempts: [{ attempt: 1, startedAt: at(15), endedAt: at(16) }],
} as unknown as ExecutionDetailView

describe('an execution as a whole', () => {
  it('begins with its first step, however often it waited', () => {
    expect(wholeRun(execution, [{ startedAt: at(1) }, { startedAt: at(15) }])).toMatchObject({
      startedAt: at(1),
      durationMs: 15_000,
      duration: 15,
      attempts: [{ startedAt: at(1) }],
    })
  })

  it('does not begin with steps that it was given', () => {
    expect(wholeRun({ ...execution, createdAt: at(10) }, [{ startedAt: at(1) }]).startedAt).toBe(at(15))
  })

  it('without steps is as it is', () => {
    expect(wholeRun(execution, [])).toBe(execution)
  })

  it('that has not ended has no length yet, and one that waits has begun', () => {
    const waiting = { ...execution, startedAt: null, completedAt: null, attempts: [] }
    expect(wholeRun(waiting, [{ startedAt: at(2) }])).toMatchObject({
      startedAt: at(2),
      durationMs: null,
      attempts: [],
    })
  })
})
