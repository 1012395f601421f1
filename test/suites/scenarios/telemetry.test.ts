import { type Attributes, metrics } from '@opentelemetry/api'
import { afterEach, describe, expect, it } from 'vitest'
import { type JobTypeOptions, job } from '../../../src/job/type/job-type.ts'
import { testPontual } from '../../../src/testing.ts'
import { cron } from '../../../src/time/triggers/cron.ts'
import { aborted } from './gate.ts'
import { RecordedEvents, RecordedLog } from './recorded.ts'

const QUICK: JobTypeOptions<undefined, unknown> = { run: () => 'done' }

describe('events', () => {
  it.each<[string, Partial<JobTypeOptions<undefined, unknown>>, string[]]>([
    ['that succeeds', {}, ['execution.queued', 'execution.claimed', 'execution.succeeded']],
    [
      'that fails for good',
      { retry: { retries: 0 }, run: () => Promise.reject(new Error('no')) },
      ['execution.queued', 'execution.claimed', 'execution.failed'],
    ],
    [
      'that fails and is tried again',
      {
        retry: { intervals: ['1s'] },
        run: (_input, { attempt }) => (attempt === 1 ? Promise.reject(new Error('no')) : 'done'),
      },
      ['execution.queued', 'execution.claimed', 'execution.retried', 'execution.claimed', 'execution.succeeded'],
    ],
    [
      'that takes too long',
      { timeout: '1s', retry: { retries: 0 }, run: (_input, { signal }) => aborted(signal) },
      ['execution.queued', 'execution.claimed', 'execution.failed'],
    ],
  ])('tell every change of an execution %s once, and the log has a line for each', async (_what, type, expected) => {
    using events = new RecordedEvents()
    const log = new RecordedLog()
    const work = job('work', { ...QUICK, ...type })
    await using t = await testPontual({ jobs: [work], logger: log.logger })
    const { id } = await t.app.enqueue(work)
    await t.advance('10s')
    const names = (all: readonly string[]) => all.filter((name) => name.startsWith('execution.')).toSorted()
    expect(names(events.names)).toEqual(expected.toSorted())
    expect(names(log.lines.map(({ message }) => message))).toEqual(expected.toSorted())
    for (const { message, fields } of log.lines) {
      if (message.startsWith('execution.')) expect(fields).toMatchObject({ executionId: id, jobType: 'work' })
    }
  })

  it('tell how long an attempt took and how late it was', async () => {
    using events = new RecordedEvents()
    const work = job('work', { timeout: '7s', retry: { retries: 0 }, run: (_input, { signal }) => aborted(signal) })
    await using t = await testPontual({ jobs: [work] })
    await t.app.schedule(work, { name: 'yearly', trigger: cron('1 0 1 1 *') })
    await t.advance('70s')
    expect(events.of('execution.claimed')).toMatchObject([
      { latenessMs: 0, attempt: 1, nodeId: expect.any(String) as string },
    ])
    expect(events.of('execution.failed')).toMatchObject([{ durationMs: 7_000, status: 'TIMEOUT' }])
    expect(events.of('job.fired')).toMatchObject([{ job: 'yearly', count: 1, nextFireAt: '2027-01-01T00:01:00.000Z' }])
  })

  it('tell every way in which a run is asked for', async () => {
    using events = new RecordedEvents()
    const work = job('work', { retry: { retries: 0 }, run: () => Promise.reject(new Error('no')) })
    await using t = await testPontual({ jobs: [work] })
    await t.app.schedule(work, { name: 'yearly', trigger: cron('0 0 1 6 *') })
    const { id: enqueued } = await t.app.enqueue(work)
    const [{ id: bulk } = { id: '' }] = await t.app.enqueueMany(work, [undefined])
    await t.settle()
    const manual = await t.app.runNow('yearly')
    const again = await t.app.retry(enqueued)
    await t.settle()
    expect(events.of('execution.queued').map(({ executionId }) => executionId)).toEqual([enqueued, bulk, manual, again])
  })

  it('tell the life of a node', async () => {
    using events = new RecordedEvents()
    const t = await testPontual({ node: { name: 'one', slots: 4 } })
    expect(events.all).toMatchObject([{ name: 'node.started', facts: { name: 'one', slots: 4 } }])
    await t.stop()
    expect(events.names).toEqual(['node.started', 'node.stopped'])
  })

  it('do no harm where who listens throws', async () => {
    const logger = new RecordedLog().logger
    const angry = {
      ...logger,
      debug: () => {
        throw new Error('disk full')
      },
      warn: () => {
        throw new Error('disk full')
      },
    }
    let runs = 0
    const work = job('work', {
      retry: { intervals: ['1s'] },
      run: (_input, { logger: own }) => {
        runs += 1
        own.debug('hello')
        if (runs <= 2) throw new Error('again')
      },
    })
    await using t = await testPontual({ jobs: [work], logger: angry })
    const ids = await Promise.all([1, 2].map(() => t.app.enqueue(work).catch(() => ({ id: '' }))))
    await t.advance('1m')
    for (const { id } of ids) expect(await t.app.execution(id)).toMatchObject({ status: 'SUCCESS' })
  })
})

/** As little of a meter provider as shows what is counted. */
function recordCounts() {
  const counted: [string, number, Attributes][] = []
  const instrument = (name: string) => {
    const count = (value: number, attributes: Attributes = {}) => void counted.push([name, value, attributes])
    return { add: count, record: count }
  }
  metrics.setGlobalMeterProvider({
    getMeter: () =>
      new Proxy({} as ReturnType<typeof metrics.getMeter>, { get: () => (name: string) => instrument(name) }),
  })
  return { counted }
}

describe('OpenTelemetry', () => {
  afterEach(() => metrics.disable())

  it('counts events, durations and lateness', async () => {
    const { counted } = recordCounts()
    const work = job('work', { ...QUICK })
    await using t = await testPontual({ jobs: [work] })
    await t.app.enqueue(work)
    await t.app.schedule(work, { name: 'minutely', trigger: cron('* * * * *') })
    await t.advance('2m')
    const events = (event: string) =>
      counted.filter(([name, , attributes]) => name === 'pontual.events' && attributes['event'] === event)
    expect(events('execution.succeeded')).toEqual(
      Array.from({ length: 3 }, () => ['pontual.events', 1, { event: 'execution.succeeded', jobType: 'work' }]),
    )
    expect(events('job.fired')).toHaveLength(2)
    expect(counted.filter(([name]) => name === 'pontual.attempt.duration')).toHaveLength(3)
    expect(counted.filter(([name]) => name === 'pontual.occurrence.lateness').map(([, value]) => value)).toEqual([0, 0])
  })

  it('counts from when its SDK is registered, also in an application that runs already', async () => {
    const work = job('work', { ...QUICK })
    await using t = await testPontual({ jobs: [work] })
    await t.app.enqueue(work)
    await t.settle()
    const { counted } = recordCounts()
    await t.app.enqueue(work)
    await t.settle()
    const events = counted.filter(([name]) => name === 'pontual.events').map(([, , { event }]) => event)
    expect(events).toEqual(['execution.queued', 'execution.claimed', 'execution.succeeded'])
  })
})
