import { describe, expect, it } from 'vitest'
import { job } from '../../../src/job/type/job-type.ts'
import { StoreUnavailableError } from '../../../src/store/unavailable.ts'
import { cron } from '../../../src/time/triggers/cron.ts'
import { aborted, Gate } from './gate.ts'
import { Processes } from './processes.ts'
import { RecordedEvents } from './recorded.ts'

describe('a store that is away for a minute', () => {
  it('costs a node neither its life nor its results', async () => {
    await using all = new Processes()
    using events = new RecordedEvents()
    const gates = [new Gate(), new Gate()]
    const work = job('work', { run: (index: number) => gates[index]?.opened.then(() => `result ${index}`) })
    const node = await all.node({ jobs: [work] })
    const ids = (await node.app.enqueueMany(work, [0, 1])).map(({ id }) => id)
    await all.settle()
    node.link.isAway = true
    gates[0]?.open()
    await all.pass('1m')
    node.link.isAway = false
    await all.pass('3s')
    expect(await node.execution(ids[0] ?? '')).toMatchObject({ status: 'SUCCESS', output: 'result 0', attempt: 1 })
    gates[1]?.open()
    await all.settle()
    expect(await node.execution(ids[1] ?? '')).toMatchObject({ status: 'SUCCESS', output: 'result 1', attempt: 1 })
    await all.pass('1m')
    expect(events.names).not.toContain('node.lost')
    expect(events.names).not.toContain('execution.recovered')
  })

  it.each<[string, () => unknown, object]>([
    ['success', () => 'done', { status: 'SUCCESS', output: 'done' }],
    ['failure', () => Promise.reject(new Error('no')), { status: 'QUEUED', attempts: [{ status: 'FAILED' }] }],
  ])('keeps a %s of a run by hand until it is back', async (_what, end, expected) => {
    await using all = new Processes()
    const gate = new Gate()
    const work = job('work', { run: () => gate.opened.then(end) })
    const node = await all.node({ jobs: [work] })
    await node.app.schedule(work, { name: 'yearly', trigger: cron('0 0 1 6 *') })
    const id = await node.app.runNow('yearly')
    await all.settle()
    node.link.isAway = true
    gate.open()
    await all.pass('20s')
    node.link.isAway = false
    await all.pass('3s')
    expect(await node.execution(id)).toMatchObject({ ...expected, attempt: 1 })
  })

  it('costs nothing also where other work waits when it is back', async () => {
    await using all = new Processes()
    using events = new RecordedEvents()
    const gate = new Gate()
    const long = job('long', { run: () => gate.opened.then(() => 'done') })
    const quick = job('quick', { run: () => 'done' })
    const node = await all.node({ jobs: [long, quick] })
    const { id } = await node.app.enqueue(long)
    await all.settle()
    node.link.isAway = true
    const producer = all.process()
    await all.pass('40s')
    const { id: waiting } = await producer.app.enqueue(quick)
    await all.pass('20s')
    node.link.isAway = false
    await all.pass('10s')
    expect(await node.execution(waiting)).toMatchObject({ status: 'SUCCESS' })
    gate.open()
    await all.settle()
    expect(await node.execution(id)).toMatchObject({ status: 'SUCCESS', attempt: 1 })
    expect(events.names).not.toContain('node.lost')
  })

  it('for all nodes makes none of them take the work of another', async () => {
    await using all = new Processes()
    using events = new RecordedEvents()
    const gate = new Gate()
    const work = job('work', { run: () => gate.opened.then(() => 'done') })
    const nodes = [await all.node({ jobs: [work] }), await all.node({ jobs: [work] }), await all.node()]
    const [first] = nodes
    if (!first) throw new Error('There are three.')
    const { id } = await first.app.enqueue(work)
    await all.settle()
    for (const node of nodes) node.link.isAway = true
    await all.pass('1m')
    for (const node of nodes) node.link.isAway = false
    await all.pass('30s')
    gate.open()
    await all.settle()
    expect(await first.execution(id)).toMatchObject({ status: 'SUCCESS', attempt: 1 })
    expect(events.names).not.toContain('execution.recovered')
    expect(events.names).not.toContain('node.lost')
  })

  it('for one node only costs it its work, which another does', async () => {
    await using all = new Processes()
    const gate = new Gate()
    const work = job('work', { run: (_input: undefined, { attempt }) => gate.opened.then(() => `attempt ${attempt}`) })
    const cut = await all.node({ jobs: [work] })
    const { id } = await cut.app.enqueue(work)
    await all.settle()
    const other = await all.node({ jobs: [work] })
    cut.link.isAway = true
    await all.pass('40s')
    gate.open()
    await all.pass('5s')
    expect(await other.execution(id)).toMatchObject({ status: 'SUCCESS', output: 'attempt 2' })
    cut.link.isAway = false
    await all.pass('10s')
    expect(await other.execution(id)).toMatchObject({ status: 'SUCCESS', output: 'attempt 2', epoch: 2 })
    expect(await cut.app.health()).toMatchObject({ status: 'healthy', running: 0 })
  })

  it('is used again within seconds of its return', async () => {
    await using all = new Processes()
    const work = job('work', { run: () => 'done' })
    const node = await all.node({ jobs: [work] })
    await node.app.schedule(work, { name: 'often', trigger: cron('*/10 * * * * *'), misfire: { policy: 'fireAll' } })
    await all.pass('15s')
    node.link.isAway = true
    const { id } = await all.process().app.enqueue(work)
    await all.pass('1m')
    node.link.isAway = false
    await all.pass('3s')
    expect(await node.execution(id)).toMatchObject({ status: 'SUCCESS' })
    expect(await node.app.executions({ statuses: ['SUCCESS'] })).toHaveLength(8)
    expect(node.log.of('Works again').length).toBeGreaterThan(0)
  })

  it('is told about once per part, not every second', async () => {
    await using all = new Processes()
    const node = await all.node({ jobs: [job('work', { run: () => 'done' })] })
    node.link.isAway = true
    await all.pass('10m')
    expect(node.log.at('error').length).toBeLessThan(8)
    node.link.isAway = false
    await all.pass('5s')
  })

  it('fails what cannot wait: the caller is told', async () => {
    await using all = new Processes()
    const node = await all.node()
    node.link.isAway = true
    await expect(all.until(node.app.enqueue('work'), '20s')).rejects.toThrow(StoreUnavailableError)
    await expect(all.until(node.app.executions(), '20s')).rejects.toThrow(StoreUnavailableError)
    node.link.isAway = false
    expect(await node.app.executions()).toEqual([])
  })

  it('for a moment is not noticed by who enqueues', async () => {
    await using all = new Processes()
    const producer = all.process()
    await producer.app.executions()
    producer.link.isAway = true
    const enqueued = producer.app.enqueue('work', 1)
    await all.pass('300ms')
    producer.link.isAway = false
    expect(await all.until(enqueued, '1s')).toMatchObject({ isNew: true })
    expect(await producer.app.executions()).toHaveLength(1)
  })
})

describe('an answer that was lost', () => {
  it.each([
    'leases.claim',
    'leases.finish',
    'leases.retry',
    'leases.promote',
    'leases.held',
    'leases.progress',
    'logs.append',
    'pulse',
    'executions.enqueue',
    'jobs.due',
    'occurrences.fire',
  ])('of %s loses nothing, ends nothing twice, and leaves nothing stuck', async (verb) => {
    await using all = new Processes()
    using events = new RecordedEvents()
    const runs = new Map<string, number>()
    const work = job<undefined>('work', {
      retry: { intervals: ['2s', '2s', '2s'] },
      run: (_input, context) => {
        const { executionId, attempt, logger } = context
        runs.set(executionId, attempt)
        logger.info(`attempt ${attempt}`)
        context.progress(attempt / 4)
        if (attempt < 3) throw new Error('again')
        return attempt
      },
    })
    const node = await all.node({ jobs: [work] })
    await node.app.schedule(work, { name: 'often', trigger: cron('*/30 * * * * *') })
    node.link.loseAnswerOf(verb)
    const enqueued = node.app.enqueue(work)
    await all.pass('1m')
    const { id } = await enqueued
    expect(await node.execution(id)).toMatchObject({ status: 'SUCCESS', output: 3, attempt: 3, progress: 0.75 })
    await all.pass('20s')
    const executions = await node.app.executions()
    expect(executions).toHaveLength(3)
    for (const execution of executions) {
      expect(execution).toMatchObject({ status: 'SUCCESS', attempt: 3 })
      expect(execution.attempts.map(({ status }) => status)).toEqual(['FAILED', 'FAILED', 'SUCCESS'])
    }
    expect(events.of('execution.succeeded')).toHaveLength(3)
    expect(runs.size).toBe(3)
    expect(await node.app.health()).toMatchObject({ status: 'healthy', running: 0 })
  })

  it('of a claim brings what it took back, the attempt not spent', async () => {
    await using all = new Processes()
    const work = job('work', { run: () => 'done' })
    const producer = all.process()
    const enqueued = await producer.app.enqueueMany(
      work,
      Array.from({ length: 10 }, () => undefined),
    )
    const node = all.process({ jobs: [work] })
    node.link.loseAnswerOf('leases.claim')
    await node.app.start()
    await all.pass('20s')
    for (const { id } of enqueued) {
      expect(await producer.execution(id)).toMatchObject({ status: 'SUCCESS', attempt: 1 })
    }
  })

  it('of an enqueue is not seen by the caller: it is new, and told once', async () => {
    await using all = new Processes()
    using events = new RecordedEvents()
    const producer = all.process()
    await producer.app.executions()
    producer.link.loseAnswerOf('executions.enqueue')
    const first = await all.until(producer.app.enqueue('work', 1, { idempotencyKey: 'k' }), '1s')
    expect(first.isNew).toBe(true)
    expect(await producer.app.enqueue('work', 1, { idempotencyKey: 'k' })).toEqual({ id: first.id, isNew: false })
    expect(await producer.app.executions()).toHaveLength(1)
    expect(events.of('execution.queued')).toHaveLength(1)
  })

  it('of a release at shutdown gives the work back once', async () => {
    await using all = new Processes()
    const work = job('work', { run: (_input, { signal }) => aborted(signal) })
    const node = await all.node({ jobs: [work], shutdownGrace: '1s' })
    const { id } = await node.app.enqueue(work)
    await all.settle()
    node.link.loseAnswerOf('leases.release')
    await all.until(node.app.stop(), '10s')
    expect(await all.process().execution(id)).toMatchObject({ status: 'QUEUED', attempt: 0 })
  })

  it('of a registration leaves a node that works', async () => {
    await using all = new Processes()
    const work = job('work', { run: () => 'done' })
    const node = await all.node({ jobs: [work] })
    const { id: before } = await node.app.enqueue(work)
    await all.settle()
    node.freeze()
    await all.node()
    await all.pass('40s')
    node.link.loseAnswerOf('nodes.register')
    node.thaw()
    await all.pass('10s')
    const { id } = await node.app.enqueue(work)
    await all.settle()
    expect(await node.execution(before)).toMatchObject({ status: 'SUCCESS' })
    expect(await node.execution(id)).toMatchObject({ status: 'SUCCESS' })
  })
})

describe('a store that fails otherwise', () => {
  it.each(['leases.finish', 'leases.retry'])('at %s leaves nothing running for ever', async (verb) => {
    await using all = new Processes()
    let failures = 20
    const work = job('work', {
      retry: { intervals: ['1s'] },
      run: () => (verb === 'leases.retry' ? Promise.reject(new Error('no')) : 'done'),
    })
    const node = await all.node({ jobs: [work] })
    node.link.intercept = (asked, send) => {
      if (asked !== verb || failures === 0) return send()
      failures -= 1
      return Promise.reject(new Error('numeric field overflow'))
    }
    const { id } = await node.app.enqueue(work)
    await all.pass('5m')
    const { status } = await node.execution(id)
    expect(['SUCCESS', 'FAILED']).toContain(status)
    expect(await node.app.health()).toMatchObject({ running: 0 })
  })

  it('while a late occurrence is decided about leaves nothing running for ever', async () => {
    await using all = new Processes()
    const gate = new Gate()
    const long = job('long', { run: () => gate.opened })
    const work = job('work', { run: () => 'done' })
    const node = await all.node({ jobs: [long, work], node: { slots: 1 } })
    await node.app.schedule(work, { name: 'yearly', trigger: cron('1 0 1 1 *') })
    await node.app.enqueue(long)
    await all.pass('3m')
    let isBroken = true
    node.link.intercept = (verb, send) => {
      if (verb !== 'jobs.find' || !isBroken) return send()
      isBroken = false
      return Promise.reject(new StoreUnavailableError('store.unavailable', 'The store is away.'))
    }
    gate.open()
    await all.pass('1m')
    expect(await node.app.executions({ jobType: 'work' })).toMatchObject([{ status: 'SUCCESS' }])
  })
})
