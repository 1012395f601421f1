import { describe, expect, it } from 'vitest'
import type { Duration } from '../../../src/duration.ts'
import { TimeoutError } from '../../../src/job/execution/failure.ts'
import { type JobContext, job } from '../../../src/job/type/job-type.ts'
import { cron } from '../../../src/time/triggers/cron.ts'
import { aborted, Gate } from './gate.ts'
import { Processes } from './processes.ts'
import { listOf, RecordedEvents } from './recorded.ts'

const ONCE = { retries: 0 }

describe('a timeout', () => {
  it.each<[string, { own?: Duration; type?: Duration; scheduler?: Duration }, number | null]>([
    ['the run’s own', { own: '5s', type: '20s', scheduler: '40s' }, 5],
    ['the job type’s', { type: '20s', scheduler: '40s' }, 20],
    ['the scheduler’s', { scheduler: '40s' }, 40],
    ['none', {}, null],
  ])('is %s', async (_whose, { own, type, scheduler }, seconds) => {
    await using all = new Processes()
    const work = job('work', {
      retry: ONCE,
      ...(type === undefined ? {} : { timeout: type }),
      run: (_input, { signal }) => aborted(signal),
    })
    const node = await all.node({ jobs: [work], defaultTimeout: scheduler, shutdownGrace: 0 })
    const { id } = await node.app.enqueue(work, undefined, { timeout: own })
    await all.pass((seconds ?? 3_600) * 1_000 - 1)
    expect(await node.execution(id)).toMatchObject({ status: 'RUNNING' })
    await all.pass(1)
    expect(await node.execution(id)).toMatchObject(
      seconds === null
        ? { status: 'RUNNING' }
        : { status: 'TIMEOUT', error: { code: 'execution.timeout', name: 'TimeoutError' } },
    )
  })

  it('of a job goes before that of its type', async () => {
    await using all = new Processes()
    const work = job('work', { retry: ONCE, timeout: '1m', run: (_input, { signal }) => aborted(signal) })
    const node = await all.node({ jobs: [work] })
    await node.app.schedule(work, { name: 'often', trigger: cron('0 * * * *'), timeout: '3s' })
    await all.pass('1h')
    await all.pass('3s')
    expect(await node.app.executions()).toMatchObject([
      { status: 'TIMEOUT', error: { message: expect.stringContaining('3000 ms') as string } },
    ])
  })

  it('aborts the signal with a reason', async () => {
    await using all = new Processes()
    let reason: unknown
    const work = job('work', {
      retry: ONCE,
      timeout: '2s',
      run: (_input, { signal }) =>
        aborted(signal).catch((error: unknown) => {
          reason = error
        }),
    })
    const node = await all.node({ jobs: [work] })
    await node.app.enqueue(work)
    await all.pass('2s')
    expect(reason).toBeInstanceOf(TimeoutError)
  })

  it('counts as a failure for retries, and the last one ends as TIMEOUT and faults the job', async () => {
    await using all = new Processes()
    using events = new RecordedEvents()
    const work = job('work', {
      timeout: '10s',
      retry: { intervals: ['5s'] },
      run: (_input, { signal }) => aborted(signal),
    })
    const node = await all.node({ jobs: [work] })
    await node.app.schedule(work, { name: 'often', trigger: cron('0 * * * *') })
    await all.pass('1h')
    const [{ id } = { id: '' }] = await node.app.executions()
    await all.pass('10s')
    expect(await node.execution(id)).toMatchObject({ status: 'QUEUED', attempts: [{ status: 'TIMEOUT' }] })
    await all.pass('15s')
    expect(await node.execution(id)).toMatchObject({
      status: 'TIMEOUT',
      attempts: [{ status: 'TIMEOUT' }, { status: 'TIMEOUT' }],
    })
    expect(await node.app.job('often')).toMatchObject({ status: 'FAULTED' })
    expect(events.of('execution.failed')).toMatchObject([{ status: 'TIMEOUT', attempt: 2 }])
    expect(events.of('job.faulted')).toHaveLength(1)
  })

  it('leaves a handler alone that ends in time', async () => {
    await using all = new Processes()
    let signal: AbortSignal | undefined
    const work = job('work', {
      timeout: '10s',
      run: (_input, context) => {
        signal = context.signal
      },
    })
    const node = await all.node({ jobs: [work] })
    const { id } = await node.app.enqueue(work)
    await all.pass('1m')
    expect(signal?.aborted).toBe(false)
    expect(await node.execution(id)).toMatchObject({ status: 'SUCCESS', attempt: 1 })
  })
})

describe('a handler that ignores its signal', () => {
  async function stray() {
    const all = new Processes()
    const gate = new Gate()
    const contexts: JobContext[] = []
    const deaf = job('deaf', {
      timeout: '10s',
      retry: { intervals: ['5s'] },
      run: async (_input, context) => {
        contexts.push(context)
        if (context.attempt > 1) return await aborted(context.signal)
        await gate.opened
        return 'late'
      },
    })
    const quick = job('quick', { run: () => 'ran' })
    const node = await all.node({ jobs: [deaf, quick], node: { slots: 1 } })
    const { id } = await node.app.enqueue(deaf, undefined, { priority: 'HIGH' })
    await all.settle()
    return { all, gate, contexts, node, quick, id }
  }

  it('frees its slot all the same', async () => {
    const { all, gate, node, quick } = await stray()
    await using _ = all
    const { id } = await node.app.enqueue(quick)
    await all.settle()
    expect(await node.execution(id)).toMatchObject({ status: 'QUEUED' })
    await all.pass('10s')
    expect(await node.execution(id)).toMatchObject({ status: 'SUCCESS' })
    gate.open()
  })

  it('brings a result too late, which is left out', async () => {
    const { all, gate, node, id } = await stray()
    await using _ = all
    await all.pass('12s')
    gate.open()
    await all.settle()
    expect(await node.execution(id)).toMatchObject({ status: 'QUEUED', output: undefined })
    await all.pass('1m')
    expect(await node.execution(id)).toMatchObject({ status: 'TIMEOUT', attempt: 2, output: undefined })
  })

  it('is told about as an error, and when it ends at last', async () => {
    const { all, gate, node, id } = await stray()
    await using _ = all
    await all.pass('10s')
    expect(node.log.at('error')).toEqual([])
    await all.pass('1s')
    const [line] = node.log.of('A handler ignores its signal and goes on, although its attempt is over')
    expect(line).toMatchObject({ level: 'error', fields: { executionId: id, attempt: 1, jobType: 'deaf' } })
    gate.open()
    await all.settle()
    expect(node.log.of('A handler that had ignored its signal has ended')).toHaveLength(1)
  })

  it('logs and reports progress into nothing while the next attempt runs', async () => {
    const { all, gate, contexts, node, id } = await stray()
    await using _ = all
    await all.pass('15s')
    const [first, second] = contexts
    second?.progress(0.2, 'second')
    first?.progress(0.9, 'stray')
    first?.logger.info('stray')
    second?.logger.info('second')
    await all.settle()
    expect(await node.execution(id)).toMatchObject({ attempt: 2, progress: 0.2, progressNote: 'second' })
    const lines = await listOf(node.app.logs(id))
    expect(lines.map(({ message }) => message)).toEqual(['second'])
    expect(second?.signal.aborted).toBe(false)
    gate.open()
  })

  it('does not end the next attempt, though both log at once', async () => {
    const { all, gate, contexts, node, id } = await stray()
    await using _ = all
    contexts[0]?.logger.info('first')
    await all.pass('15s')
    contexts[1]?.logger.info('second')
    await all.settle()
    contexts[0]?.logger.info('stray')
    contexts[1]?.logger.info('second again')
    await all.settle()
    expect(contexts.map(({ signal }) => signal.aborted)).toEqual([true, false])
    expect(await node.execution(id)).toMatchObject({ status: 'RUNNING', attempt: 2 })
    const lines = await listOf(node.app.logs(id))
    expect(lines.map(({ message }) => message)).toEqual(['first', 'second', 'second again'])
    gate.open()
  })

  it('does not swallow the progress of the next attempt', async () => {
    const { all, gate, contexts, node, id } = await stray()
    await using _ = all
    await all.pass('15s')
    const [first, second] = contexts
    first?.progress(0.9, 'stray')
    second?.progress(0.2, 'second')
    await all.settle()
    expect(await node.execution(id)).toMatchObject({ attempt: 2, progress: 0.2, progressNote: 'second' })
    gate.open()
  })
})
