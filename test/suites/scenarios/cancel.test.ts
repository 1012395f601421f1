import { describe, expect, it } from 'vitest'
import { type JobContext, job } from '../../../src/job/type/job-type.ts'
import { cron } from '../../../src/time/triggers/cron.ts'
import { aborted, Gate } from './gate.ts'
import { Processes } from './processes.ts'
import { RecordedEvents } from './recorded.ts'

const UNKNOWN = '00000000-0000-7000-8000-000000000000'

describe('cancel', () => {
  it('ends what is queued: it never starts', async () => {
    await using all = new Processes()
    let runs = 0
    const work = job('work', { run: () => ++runs })
    const producer = all.process()
    const { id } = await producer.app.enqueue(work)
    expect(await producer.app.cancel(id, 'not needed')).toBe('cancelled')
    const node = await all.node({ jobs: [work] })
    await all.pass('1m')
    expect(runs).toBe(0)
    expect(await node.execution(id)).toMatchObject({
      status: 'CANCELLED',
      attempt: 0,
      attempts: [],
      error: { code: 'execution.cancelled', message: 'not needed' },
      finishedAt: expect.any(Number) as number,
    })
  })

  it('ends what is delayed', async () => {
    await using all = new Processes()
    let runs = 0
    const work = job('work', { run: () => ++runs })
    const node = await all.node({ jobs: [work] })
    const { id } = await node.app.enqueue(work, undefined, { delay: '10s' })
    await all.pass('5s')
    expect(await node.app.cancel(id)).toBe('cancelled')
    await all.pass('1m')
    expect(runs).toBe(0)
    expect(await node.execution(id)).toMatchObject({ status: 'CANCELLED' })
  })

  it('ends what waits for a retry', async () => {
    await using all = new Processes()
    let runs = 0
    const work = job('work', {
      run: () => {
        runs += 1
        throw new Error('again')
      },
    })
    const node = await all.node({ jobs: [work] })
    const { id } = await node.app.enqueue(work)
    await all.pass('30s')
    expect(await node.app.cancel(id)).toBe('cancelled')
    await all.pass('10m')
    expect(runs).toBe(1)
    expect(await node.execution(id)).toMatchObject({ status: 'CANCELLED', attempts: [{ status: 'FAILED' }] })
  })

  it('ends what runs: the signal is aborted at once, the slot is free, no retry comes', async () => {
    await using all = new Processes()
    using events = new RecordedEvents()
    const contexts: JobContext[] = []
    const work = job('work', {
      run: (_input, context) => {
        contexts.push(context)
        return aborted(context.signal)
      },
    })
    const node = await all.node({ jobs: [work], node: { slots: 1 } })
    const { id } = await node.app.enqueue(work)
    const { id: next } = await node.app.enqueue(work)
    await all.settle()
    expect(contexts.map(({ executionId }) => executionId)).toEqual([id])
    expect(await node.app.cancel(id)).toBe('cancelled')
    await all.settle()
    expect(contexts[0]?.signal.aborted).toBe(true)
    expect(contexts[0]?.signal.reason).toMatchObject({ code: 'execution.gone' })
    expect(contexts.map(({ executionId }) => executionId)).toEqual([id, next])
    await node.app.cancel(next)
    await all.pass('10m')
    expect(contexts).toHaveLength(2)
    expect(await node.execution(id)).toMatchObject({ status: 'CANCELLED', attempts: [{ status: 'CANCELLED' }] })
    expect(events.of('execution.cancelled').map(({ executionId }) => executionId)).toEqual([id, next])
    expect(events.names).not.toContain('execution.retried')
    expect(events.names).not.toContain('execution.failed')
  })

  it('refuses a success that comes afterwards', async () => {
    await using all = new Processes()
    const gate = new Gate()
    const work = job('work', { run: () => gate.opened.then(() => 'late') })
    const node = await all.node({ jobs: [work] })
    const { id } = await node.app.enqueue(work)
    await all.settle()
    await node.app.cancel(id)
    gate.open()
    await all.pass('1m')
    expect(await node.execution(id)).toMatchObject({ status: 'CANCELLED', output: undefined })
  })

  it.each([
    ['by a hint, at once', false, 0],
    ['by the next check where no hint comes', true, 5_000],
  ])('from another process reaches the handler %s', async (_how, isDeaf, withinMs) => {
    await using all = new Processes()
    let signal: AbortSignal | undefined
    const work = job('work', {
      run: (_input, context) => {
        signal = context.signal
        return aborted(context.signal)
      },
    })
    const node = await all.node({ jobs: [work] })
    node.link.isDeaf = isDeaf
    const other = all.process()
    const { id } = await other.app.enqueue(work)
    await all.pass('2s')
    expect(signal?.aborted).toBe(false)
    expect(await other.app.cancel(id)).toBe('cancelled')
    await all.pass(withinMs)
    expect(signal?.aborted).toBe(true)
    expect(await node.app.health()).toMatchObject({ running: 0 })
  })

  it('reaches a handler also while its node shuts down', async () => {
    await using all = new Processes()
    let signal: AbortSignal | undefined
    const work = job('work', {
      run: (_input, context) => {
        signal = context.signal
        return aborted(context.signal)
      },
    })
    const node = await all.node({ jobs: [work], shutdownGrace: '10m' })
    const other = all.process()
    const { id } = await other.app.enqueue(work)
    await all.settle()
    const stopping = node.app.stop()
    await all.pass('2s')
    await other.app.cancel(id)
    await all.pass('5s')
    expect(signal?.aborted).toBe(true)
    await all.until(stopping, '10m')
  })

  it('leaves alone what has ended', async () => {
    await using all = new Processes()
    using events = new RecordedEvents()
    const work = job('work', { run: () => 'done' })
    const node = await all.node({ jobs: [work] })
    const { id } = await node.app.enqueue(work)
    await all.settle()
    expect(await node.app.cancel(id)).toBe('final')
    expect(await node.execution(id)).toMatchObject({ status: 'SUCCESS', output: 'done' })
    expect(events.of('execution.cancelled')).toEqual([])
  })

  it('a second time changes nothing', async () => {
    await using all = new Processes()
    const node = await all.node()
    const { id } = await node.app.enqueue('later')
    expect(await node.app.cancel(id, 'first')).toBe('cancelled')
    expect(await node.app.cancel(id, 'second')).toBe('final')
    expect(await node.execution(id)).toMatchObject({ error: { message: 'first' } })
  })

  it('of what does not exist says so', async () => {
    await using all = new Processes()
    const node = await all.node()
    expect(await node.app.cancel(UNKNOWN)).toBe('unknown')
    await expect(node.app.cancel('7')).rejects.toThrow('Execution id must be a UUID, got "7"')
  })

  it('keeps a reason that no database could hold as it is', async () => {
    await using all = new Processes()
    const node = await all.node()
    const { id } = await node.app.enqueue('later')
    await node.app.cancel(id, `a\0b\ud800${'x'.repeat(100_000)}`)
    const { error } = await node.execution(id)
    expect(error?.message.slice(0, 4)).toBe('a␀b\ufffd')
    expect(error?.message.length).toBeLessThan(5_000)
  })

  it('does not fault the job', async () => {
    await using all = new Processes()
    const work = job('work', { run: (_input, { signal }) => aborted(signal) })
    const node = await all.node({ jobs: [work] })
    await node.app.schedule(work, { name: 'often', trigger: cron('0 * * * *') })
    const id = await node.app.runNow('often')
    await all.settle()
    expect(await node.app.cancel(id)).toBe('cancelled')
    await all.settle()
    expect(await node.app.job('often')).toMatchObject({ status: 'ACTIVE' })
  })
})
