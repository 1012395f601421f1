import { describe, expect, it } from 'vitest'
import type { ExecutionView, JobView, WorkersView } from '../../api/wire.ts'
import { reasonsOf } from './reasons.ts'

type Known = Parameters<typeof reasonsOf>[0]

const job: Known['job'] = {
  status: 'ACTIVE',
  isSuspended: false,
  pausedUntil: null,
  nextExecution: '2026-01-02T00:00:00.000Z',
  calendar: null,
  overlap: 'allow',
}
const node = (change: object = {}) => ({ isAlive: true, slots: 2, running: 0, queues: ['default'], ...change })
const workers = (change: object = {}) =>
  ({ nodes: [node()], running: 0, queued: 0, queues: [], cap: null, ...change }) as unknown as WorkersView
const run = (status: string, change: object = {}) =>
  ({ status, completedAt: null, nextRetryAt: null, misfire: null, ...change }) as unknown as ExecutionView
const ended = (status: string, change: object = {}) => run(status, { completedAt: '2026-01-01T00:00:00Z', ...change })

const known = (change: Partial<JobView> = {}, rest: Partial<Known> = {}): Known => ({
  job: { ...job, ...change },
  executions: [],
  type: { isKnown: true, queue: 'default' },
  workers: workers(),
  ...rest,
})

describe('a job does not run, since', () => {
  it.each<[string, Known, readonly string[]]>([
    ['nothing is in its way', known(), ['fine']],
    ['it is approved, and nothing is in its way', known({ status: 'APPROVED' }), ['fine']],
    ['it is deleted, whatever else', known({ status: 'DELETED', isSuspended: true }), ['deleted']],
    ['it is disabled', known({ status: 'DISABLED', nextExecution: null }), ['disabled']],
    ['it waits for a yes', known({ status: 'PENDING_APPROVAL', nextExecution: null }), ['pendingApproval']],
    ['it is paused', known({ status: 'PAUSED', nextExecution: null }), ['paused']],
    ['it is paused for a time', known({ status: 'PAUSED', pausedUntil: '2026-01-03T00:00:00Z' }), ['pausedUntil']],
    ['it is faulted', known({ status: 'FAULTED', nextExecution: null }), ['faulted']],
    ['it is faulted by a failure', known({ status: 'FAULTED' }, { executions: [ended('FAILED')] }), ['faulted']],
    ['all scheduling is off', known({ isSuspended: true }), ['suspended']],
    ['it is paused and all scheduling is off', known({ status: 'PAUSED', isSuspended: true }), ['paused', 'suspended']],
    ['its trigger is done', known({ nextExecution: null }), ['neverAgain']],
    ['nobody lives', known({}, { workers: workers({ nodes: [node({ isAlive: false })] }) }), ['noNodes']],
    ['nobody knows its type', known({}, { type: { isKnown: false, queue: null } }), ['typeUnknown']],
    ['nobody serves its queue', known({}, { type: { isKnown: true, queue: 'slow' } }), ['queueUnserved']],
    [
      'somebody serves every queue',
      known({}, { type: { isKnown: true, queue: 'slow' }, workers: workers({ nodes: [node({ queues: [] })] }) }),
      ['fine'],
    ],
    ['nothing is known of workers', known({}, { workers: undefined, type: undefined }), ['fine']],
    ['a retry waits', known({}, { executions: [run('QUEUED', { nextRetryAt: '2026' })] }), ['retryWaits']],
    [
      'the tenant runs all it may',
      known({}, { executions: [run('QUEUED')], workers: workers({ running: 3, cap: 3 }) }),
      ['cap'],
    ],
    [
      'all slots are taken',
      known({}, { executions: [run('QUEUED')], workers: workers({ nodes: [node({ running: 2 })] }) }),
      ['busy'],
    ],
    ['it stands in the queue for a moment', known({}, { executions: [run('QUEUED')] }), ['fine']],
    ['one runs and others are skipped', known({ overlap: 'skip' }, { executions: [run('RUNNING')] }), ['overlapSkips']],
    ['one runs and others wait', known({ overlap: 'queue' }, { executions: [run('WAITING')] }), ['overlapWaits']],
    ['one of two runs', known({ overlap: { atMost: 2 } }, { executions: [run('RUNNING')] }), ['fine']],
    ['one of one runs', known({ overlap: { atMost: 1 } }, { executions: [run('RUNNING')] }), ['overlapWaits']],
    ['one runs and others may too', known({ overlap: 'allow' }, { executions: [run('RUNNING')] }), ['fine']],
    ['it did, and failed', known({}, { executions: [ended('FAILED')] }), ['fine', 'lastFailed']],
    ['it did, and failed before', known({}, { executions: [ended('SUCCESS'), ended('FAILED')] }), ['fine']],
    ['it was made up for', known({}, { executions: [ended('SUCCESS', { misfire: {} })] }), ['fine', 'madeUp']],
    ['its calendar leaves times out', known({ calendar: 'feriados' }), ['fine', 'calendar']],
  ])('%s', (_, facts, codes) => {
    expect(reasonsOf(facts).map(({ code }) => code)).toEqual(codes)
  })
})
