import { describe, expect, it } from 'vitest'
import type { AttemptView, ExecutionView } from '../../service/execution-view.ts'
import { failureOf, outcomeOf, requireSuccess } from './await-execution.ts'

const plain = { tone: (text: string) => text }
const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1_000).toISOString()

const attempt = (number: number, startedAt: string): AttemptView => ({
  attempt: number,
  status: 'FAILED',
  nodeId: null,
  startedAt,
  endedAt: null,
  errorMessage: null,
})

const ended: ExecutionView = {
  id: 'e-1',
  clienteId: 'acme',
  jobId: null,
  jobName: 'send',
  jobType: 'send',
  executionNumber: null,
  status: 'SUCCESS',
  origin: 'manual',
  priority: 'MEDIUM',
  createdAt: at(0),
  scheduledAt: null,
  startedAt: at(20),
  completedAt: at(20.1),
  durationMs: 100,
  duration: 0.1,
  errorMessage: null,
  error: null,
  retryCount: 0,
  nextRetryAt: null,
  executedBy: null,
  retryOf: null,
  progress: null,
  progressNote: null,
  misfire: null,
  divergence: null,
  attempts: [],
}

describe('how an execution has ended', () => {
  it.each<[string, Partial<ExecutionView>, string]>([
    ['at once', { attempts: [attempt(1, at(20))] }, 'SUCCESS after 100 ms'],
    ['after it slept', {}, 'SUCCESS after 20.1 s (100 ms since it last began)'],
    ['after it was to wait', { scheduledAt: at(20) }, 'SUCCESS after 100 ms'],
    [
      'after it was tried again',
      { retryCount: 1, attempts: [attempt(1, at(14)), attempt(2, at(20))] },
      'SUCCESS after 6.1 s (100 ms since it last began), 2 attempts',
    ],
    ['before it began', { status: 'CANCELLED', startedAt: null, durationMs: null }, 'CANCELLED'],
  ])('%s', (_case, change, said) => expect(outcomeOf(plain, { ...ended, ...change })).toBe(said))

  it.each([
    ['There is no invoice 404.', 'send is FAILED: There is no invoice 404. More about it: pontual executions show e-1'],
    ['boom', 'send is FAILED: boom. More about it: pontual executions show e-1'],
    [null, 'send is FAILED. More about it: pontual executions show e-1'],
  ])('with the error %j', (errorMessage, message) => {
    expect(() => requireSuccess({ ...ended, status: 'FAILED', errorMessage })).toThrow(message)
  })

  it('is told with its error, where it has one', () => {
    expect(failureOf(ended)).toBeNull()
    expect(failureOf({ ...ended, status: 'FAILED', errorMessage: 'boom' })).toBe(
      'boom. More about it: pontual executions show e-1',
    )
  })
})
