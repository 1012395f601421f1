import { describe, expect, it } from 'vitest'
import type { ExecutionView } from '../../../src/engine/app/executions.ts'
import { NonRetryableError } from '../../../src/job/execution/failure.ts'
import type { RetryOptions } from '../../../src/job/rules/retry.ts'
import { type JobTypeOptions, job } from '../../../src/job/type/job-type.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import { testPontual } from '../../../src/testing.ts'
import { cron } from '../../../src/time/triggers/cron.ts'
import { RecordedEvents, RecordedLog } from './recorded.ts'
import { StoreLink } from './store-link.ts'

class CardDeclined extends Error {}
class CardStolen extends CardDeclined {}

interface Tried {
  readonly execution: ExecutionView | null
  /** Minutes from the beginning at which an attempt began. */
  readonly minutes: number[]
}

/** Enqueues a job that fails with each of these in turn, and succeeds when there are none left. */
async function tryWith(
  failures: readonly Error[],
  type: Partial<JobTypeOptions<undefined, unknown>> = {},
  options: { readonly retry?: RetryOptions; readonly defaultRetry?: RetryOptions } = {},
): Promise<Tried> {
  const minutes: number[] = []
  const startAt = Date.UTC(2026, 0, 1)
  const work = job('work', {
    ...type,
    run: (_input, { attempt }) => {
      minutes.push((t.now() - startAt) / 60_000)
      const failure = failures[attempt - 1]
      if (failure) throw failure
      return 'well'
    },
  })
  const { defaultRetry, ...enqueue } = options
  await using t = await testPontual({ jobs: [work], startAt, defaultRetry })
  const { id } = await t.app.enqueue(work, undefined, enqueue)
  await t.advance('2d')
  return { execution: await t.app.execution(id), minutes }
}

const failing = (count: number) => Array.from({ length: count }, (_, index) => new Error(`failure ${index + 1}`))

describe('retries', () => {
  it('come after 1, 2 and 4 minutes, and the fourth failure is final', async () => {
    const { execution, minutes } = await tryWith(failing(10))
    expect(minutes).toEqual([0, 1, 3, 7])
    expect(execution).toMatchObject({ status: 'FAILED', attempt: 4, maxAttempts: 4, error: { message: 'failure 4' } })
    expect(execution?.attempts.map(({ status, error }) => [status, error?.message])).toEqual([
      ['FAILED', 'failure 1'],
      ['FAILED', 'failure 2'],
      ['FAILED', 'failure 3'],
      ['FAILED', 'failure 4'],
    ])
  })

  it('end with the first success', async () => {
    const { execution, minutes } = await tryWith(failing(2))
    expect(minutes).toEqual([0, 1, 3])
    expect(execution).toMatchObject({ status: 'SUCCESS', output: 'well', error: null, attempt: 3 })
    expect(execution?.attempts.map(({ status }) => status)).toEqual(['FAILED', 'FAILED', 'SUCCESS'])
  })

  it.each<[string, RetryOptions, number[]]>([
    ['none', { retries: 0 }, [0]],
    ['one', { retries: 1 }, [0, 1]],
    ['own intervals', { intervals: ['2m', '30s', '1h'] }, [0, 2, 2.5, 62.5]],
    ['own intervals, the last of which repeats', { intervals: ['1m', '5m'], retries: 4 }, [0, 1, 6, 11, 16]],
    ['another start and factor', { initial: '2m', factor: 3, retries: 3 }, [0, 2, 8, 26]],
    ['a longest wait', { initial: '10m', max: '15m', retries: 4 }, [0, 10, 25, 40, 55]],
    ['no wait at all', { intervals: [0, 0] }, [0, 0, 0]],
  ])('may be %s', async (_what, retry, expected) => {
    const { minutes, execution } = await tryWith(failing(10), { retry })
    expect(minutes).toEqual(expected)
    expect(execution).toMatchObject({ status: 'FAILED', maxAttempts: expected.length })
  })

  it.each<[string, { type?: RetryOptions; retry?: RetryOptions; defaultRetry?: RetryOptions }, number]>([
    [
      'what the run was asked for with',
      { type: { retries: 5 }, retry: { retries: 1 }, defaultRetry: { retries: 2 } },
      2,
    ],
    ['the job type', { type: { retries: 5 }, defaultRetry: { retries: 2 } }, 6],
    ['the scheduler', { defaultRetry: { retries: 2 } }, 3],
  ])('follow %s', async (_what, { type, retry, defaultRetry }, attempts) => {
    const { execution } = await tryWith(failing(20), type ? { retry: type } : {}, {
      ...(retry ? { retry } : {}),
      ...(defaultRetry ? { defaultRetry } : {}),
    })
    expect(execution?.attempt).toBe(attempts)
  })

  it.each<[string, Error, RetryOptions]>([
    ['by class', new CardDeclined('no'), { nonRetryable: [CardDeclined] }],
    ['by the class it extends', new CardStolen('no'), { nonRetryable: [CardDeclined] }],
    ['by the name of the class', new CardStolen('no'), { nonRetryable: ['CardStolen'] }],
    ['by its own name', Object.assign(new Error('no'), { name: 'Gone' }), { nonRetryable: ['Gone'] }],
    ['by code', Object.assign(new Error('no'), { code: 'E_NO' }), { nonRetryable: ['E_NO'] }],
    ['by itself', new NonRetryableError('no'), {}],
  ])('do not follow an error that says no %s', async (_how, error, retry) => {
    const { execution, minutes } = await tryWith([error], { retry })
    expect(minutes).toEqual([0])
    expect(execution).toMatchObject({ status: 'FAILED', attempt: 1, error: { message: 'no' } })
  })

  it('follow another error than those named', async () => {
    const { minutes } = await tryWith([new Error('other'), new CardDeclined('no')], {
      retry: { nonRetryable: [CardDeclined] },
    })
    expect(minutes).toEqual([0, 1])
  })

  it('never come before they are due', async () => {
    const { minutes, execution } = await tryWith(failing(20), { retry: { retries: 6, jitter: 'full', initial: '1m' } })
    expect(minutes).toHaveLength(7)
    const longest = [1, 2, 4, 8, 16, 32]
    for (const [index, longestWait] of longest.entries()) {
      const wait = (minutes[index + 1] ?? Number.NaN) - (minutes[index] ?? Number.NaN)
      expect(wait).toBeGreaterThanOrEqual(0)
      expect(wait).toBeLessThanOrEqual(longestWait)
    }
    expect(new Set(minutes.map((minute) => minute % 1)).size).toBeGreaterThan(3)
    expect(execution?.status).toBe('FAILED')
  })

  it('are shown while one waits', async () => {
    const work = job('work', {
      run: () => {
        throw new Error('not yet')
      },
    })
    await using t = await testPontual({ jobs: [work] })
    const { id } = await t.app.enqueue(work)
    await t.settle()
    expect(await t.app.execution(id)).toMatchObject({ status: 'QUEUED', attempt: 1, dueAt: t.now() + 60_000 })
  })
})

describe('a job whose execution fails for good', () => {
  const work = (run: () => unknown) => job('report', { retry: { retries: 1 }, run })
  const fail = () => {
    throw new Error('broken')
  }

  it('is FAULTED and fires no more, and that is told once', async () => {
    using events = new RecordedEvents()
    const log = new RecordedLog()
    await using t = await testPontual({ jobs: [work(fail)], logger: log.logger })
    await t.app.schedule('report', { name: 'daily', trigger: cron('0 3 * * *'), onFaulted: 'stop' })
    await t.advance('3d')
    expect(await t.app.job('daily')).toMatchObject({ status: 'FAULTED' })
    expect(await t.app.executions()).toHaveLength(1)
    const [execution] = await t.app.executions()
    expect(events.of('execution.failed')).toMatchObject([
      { executionId: execution?.id, attempt: 2, status: 'FAILED', error: 'broken' },
    ])
    expect(events.of('job.faulted')).toMatchObject([{ job: 'daily', executionId: execution?.id, error: 'broken' }])
    expect(events.of('execution.retried')).toHaveLength(1)
    expect(log.at('error')).toEqual(['execution.failed', 'job.faulted'])
    expect(log.at('warn')).toEqual(['execution.retried'])
  })

  it('goes on where it says so', async () => {
    using events = new RecordedEvents()
    await using t = await testPontual({ jobs: [work(fail)] })
    await t.app.schedule('report', { name: 'daily', trigger: cron('0 3 * * *'), onFaulted: 'continue' })
    await t.advance('3d')
    expect(await t.app.job('daily')).toMatchObject({ status: 'FAULTED' })
    expect(await t.app.executions({ statuses: ['FAILED'] })).toHaveLength(3)
    expect(events.of('job.faulted')).toHaveLength(1)
  })

  it('is well again after a successful run by hand', async () => {
    let isBroken = true
    await using t = await testPontual({ jobs: [work(() => (isBroken ? fail() : 'fine'))] })
    await t.app.schedule('report', { name: 'hourly', trigger: cron('0 * * * *'), retry: { retries: 0 } })
    await t.advance('1h')
    expect(await t.app.job('hourly')).toMatchObject({ status: 'FAULTED' })
    isBroken = false
    await t.app.runNow('hourly')
    await t.settle()
    expect(await t.app.job('hourly')).toMatchObject({ status: 'ACTIVE' })
  })

  it('is well again after a successful retry by hand, which is an execution of its own', async () => {
    let isBroken = true
    await using t = await testPontual({ jobs: [work(() => (isBroken ? fail() : 'fine'))] })
    await t.app.schedule('report', { name: 'hourly', trigger: cron('0 * * * *'), retry: { retries: 0 } })
    await t.advance('1h')
    const [failed] = await t.app.executions()
    isBroken = false
    const id = await t.app.retry(failed?.id ?? '')
    await t.settle()
    expect(await t.app.execution(id)).toMatchObject({
      status: 'SUCCESS',
      origin: 'retry',
      options: { retryOf: failed?.id },
      scheduledAt: failed?.scheduledAt,
    })
    expect(await t.app.execution(failed?.id ?? '')).toMatchObject({ status: 'FAILED' })
    expect(await t.app.job('hourly')).toMatchObject({ status: 'ACTIVE' })
  })

  it('is not well again after a run by hand whose output cannot be stored, which is told as failed', async () => {
    using events = new RecordedEvents()
    const link = new StoreLink()
    let isBroken = true
    const report = work(() => (isBroken ? fail() : 'unstorable'))
    await using t = await testPontual({ store: link.to(memory()), jobs: [report] })
    await t.app.schedule('report', { name: 'hourly', trigger: cron('0 * * * *'), retry: { retries: 0 } })
    await t.advance('1h')
    isBroken = false
    let refusals = 6
    link.intercept = (verb, send) => {
      if (verb !== 'leases.finish' || refusals === 0) return send()
      refusals -= 1
      return Promise.reject(new Error('value too long'))
    }
    const id = await t.app.runNow('hourly')
    await t.advance('10s')
    expect(await t.app.execution(id)).toMatchObject({
      status: 'FAILED',
      output: undefined,
      error: { name: 'UnstorableResultError', code: 'execution.unstorable', message: 'value too long' },
    })
    expect(await t.app.job('hourly')).toMatchObject({ status: 'FAULTED' })
    expect(events.of('execution.succeeded')).toEqual([])
    expect(events.of('execution.failed').map(({ executionId }) => executionId)).toContain(id)
  })

  it('is FAULTED also where an output cannot be stored', async () => {
    using events = new RecordedEvents()
    const link = new StoreLink()
    link.intercept = (verb, send) => {
      if (verb !== 'leases.finish' || refusals === 0) return send()
      refusals -= 1
      return Promise.reject(new Error('value too long'))
    }
    let refusals = 6
    await using t = await testPontual({ store: link.to(memory()), jobs: [work(() => 'unstorable')] })
    await t.app.schedule('report', { name: 'hourly', trigger: cron('0 * * * *') })
    await t.advance('1h')
    await t.advance('10s')
    expect(await t.app.executions()).toMatchObject([{ status: 'FAILED', attempt: 1 }])
    expect(await t.app.job('hourly')).toMatchObject({ status: 'FAULTED' })
    expect(events.of('job.faulted')).toMatchObject([{ job: 'hourly', error: 'value too long' }])
  })

  it('cannot be retried while it runs or when it went well', async () => {
    await using t = await testPontual({ jobs: [work(() => 'fine')] })
    const { id } = await t.app.enqueue('report')
    await t.settle()
    await expect(t.app.retry(id)).rejects.toMatchObject({ code: 'execution.status_conflict' })
    const { id: queued } = await t.app.enqueue('report', undefined, { delay: '1h' })
    await expect(t.app.retry(queued)).rejects.toThrow('is QUEUED; retry needs FAILED, TIMEOUT or CANCELLED')
    await expect(t.app.retry('00000000-0000-7000-8000-000000000000')).rejects.toMatchObject({
      code: 'execution.unknown',
    })
  })
})
