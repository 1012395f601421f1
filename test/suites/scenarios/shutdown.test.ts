import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { eventLoopTurn } from '../../../src/clock.ts'
import { batchJob } from '../../../src/job/type/batch.ts'
import { type JobContext, type JobTypeOptions, job } from '../../../src/job/type/job-type.ts'
import { cron } from '../../../src/time/triggers/cron.ts'
import { aborted, Gate } from './gate.ts'
import { Processes } from './processes.ts'
import { RecordedEvents } from './recorded.ts'

describe('stop', () => {
  it('claims nothing more and waits for what runs', async () => {
    await using all = new Processes()
    const gate = new Gate()
    const work = job('work', { run: () => gate.opened.then(() => 'done') })
    const node = await all.node({ jobs: [work], node: { slots: 1 } })
    const other = all.process()
    const { id: running } = await other.app.enqueue(work)
    const { id: queued } = await other.app.enqueue(work)
    await all.settle()
    let isStopped = false
    const stopping = node.app.stop().then(() => {
      isStopped = true
    })
    await all.pass('10s')
    expect(isStopped).toBe(false)
    const { id: later } = await other.app.enqueue(work)
    gate.open()
    await all.settle()
    expect(isStopped).toBe(true)
    await stopping
    expect(await other.execution(running)).toMatchObject({ status: 'SUCCESS', output: 'done' })
    expect(await other.execution(queued)).toMatchObject({ status: 'QUEUED', attempt: 0 })
    expect(await other.execution(later)).toMatchObject({ status: 'QUEUED', attempt: 0 })
    expect(await other.app.nodes()).toEqual([])
  })

  it('fires nothing more', async () => {
    await using all = new Processes()
    const gate = new Gate()
    const work = job('work', { run: () => gate.opened })
    const node = await all.node({ jobs: [work] })
    await node.app.schedule(work, { name: 'often', trigger: cron('* * * * *') })
    await node.app.enqueue(work)
    await all.pass('50s')
    const stopping = node.app.stop()
    await all.pass('20s')
    gate.open()
    await all.until(stopping)
    const other = all.process()
    expect(await other.app.executions({ jobType: 'work' })).toHaveLength(1)
  })

  it('aborts after the grace and hands back, the attempt not spent', async () => {
    await using all = new Processes()
    using events = new RecordedEvents()
    const contexts: JobContext[] = []
    const work = job('work', {
      run: (_input, context) => {
        contexts.push(context)
        return context.signal.aborted || contexts.length > 1 ? Promise.resolve('done') : aborted(context.signal)
      },
    })
    const node = await all.node({ jobs: [work] })
    const { id } = await node.app.enqueue(work)
    await all.settle()
    const stopping = node.app.stop()
    await all.pass('29s')
    expect(contexts[0]?.signal.aborted).toBe(false)
    await all.pass('1s')
    expect(contexts[0]?.signal.aborted).toBe(true)
    expect(contexts[0]?.signal.reason).toMatchObject({ code: 'node.stopping' })
    await all.until(stopping, '1s')
    const other = await all.node({ jobs: [work] })
    expect(await other.execution(id)).toMatchObject({ status: 'SUCCESS', attempt: 1, epoch: 2 })
    expect(contexts.map(({ attempt }) => attempt)).toEqual([1, 1])
    expect(events.of('execution.released')).toMatchObject([{ executionId: id }])
    expect(events.names).not.toContain('execution.recovered')
  })

  describe('with a handler that ignores its signal', () => {
    /** Runs until the test ends, and counts its runs. */
    const deafJob = (options: Partial<JobTypeOptions<undefined, unknown>> = {}) => {
      const gate = new Gate()
      const runs: number[] = []
      const work = job('work', {
        ...options,
        run: async (_input: undefined, context) => {
          runs.push(context.attempt)
          if (runs.length === 1) await gate.opened
          return 'again'
        },
      })
      return { work, runs, gate }
    }

    it('resolves with it, and keeps its execution leased until the short lease is over', async () => {
      await using all = new Processes()
      using events = new RecordedEvents()
      const { work, runs, gate } = deafJob({ retry: { max: 0 } })
      const node = await all.node({ jobs: [work], shutdownGrace: '5s' })
      const other = await all.node({ jobs: [work], node: { slots: 1 }, staleCheckInterval: '1s' })
      const { id } = await node.app.enqueue(work)
      await all.settle()
      const stopping = node.app.stop()
      await all.pass('6s')
      expect(await other.execution(id)).toMatchObject({ status: 'RUNNING', attempt: 1 })
      await all.pass('1s')
      expect(await stopping).toEqual([{ executionId: id, jobType: 'work', jobId: null, tenant: 'default', attempt: 1 }])
      expect(await other.execution(id)).toMatchObject({ status: 'RUNNING', attempt: 1 })
      expect(runs).toEqual([1])
      await all.pass('1s')
      expect(runs).toEqual([1])
      await all.pass('3s')
      // Without any retry left: the attempt did not count.
      expect(await other.execution(id)).toMatchObject({ status: 'SUCCESS', attempt: 1, epoch: 2, output: 'again' })
      expect(runs).toEqual([1, 1])
      expect(events.of('execution.recovered')).toMatchObject([{ executionId: id, isUnspent: true, hasEnded: false }])
      expect(events.of('node.stopped')).toMatchObject([{ stillRunning: 1 }])
      expect(events.names).not.toContain('execution.released')

      // Its late result is not recorded.
      gate.open()
      await all.pass('10s')
      expect(await other.execution(id)).toMatchObject({ status: 'SUCCESS', output: 'again' })
    })

    it('waits for other results until then, and hands back what heeds its signal', async () => {
      await using all = new Processes()
      const { work } = deafJob()
      const heeds = job('heeds', { run: (_input, { signal }) => aborted(signal) })
      const late = job('late', { run: (_input, { signal }) => aborted(signal).catch(() => 'last words') })
      const node = await all.node({ jobs: [work, heeds, late], shutdownGrace: '5s' })
      const ids = await Promise.all([work, heeds, late].map(async ({ id }) => (await node.app.enqueue(id)).id))
      await all.settle()
      expect(await all.until(node.app.stop(), '8s')).toMatchObject([{ jobType: 'work' }])
      const other = all.process()
      const [deafOne, heeding, finished] = await Promise.all(ids.map((id) => other.execution(id)))
      expect(deafOne).toMatchObject({ status: 'RUNNING', attempt: 1 })
      expect(heeding).toMatchObject({ status: 'QUEUED', attempt: 0 })
      expect(finished).toMatchObject({ status: 'SUCCESS', output: 'last words' })
    })

    it('of a batch returns each of its executions', async () => {
      await using all = new Processes()
      const gate = new Gate()
      const members = batchJob('members', {
        size: 5,
        run: (inputs: readonly number[]) => gate.opened.then(() => inputs),
      })
      const node = await all.node({ jobs: [members], shutdownGrace: 0 })
      const many = await node.app.enqueueMany(members, [1, 2, 3])
      await all.settle()
      const left = await all.until(node.app.stop(), '3s')
      expect(left.map(({ executionId }) => executionId).toSorted()).toEqual(many.map(({ id }) => id).toSorted())
      gate.open()
      const other = await all.node({ jobs: [members] })
      await all.pass('15s')
      expect(await other.app.executions()).toMatchObject(
        many.map(() => ({ status: 'SUCCESS', attempt: 1, epoch: 2, attempts: [{ status: 'SUCCESS' }] })),
      )
    })

    it('in an activity of a durable execution neither records it nor runs it beside itself', async () => {
      await using all = new Processes()
      const gate = new Gate()
      const calls: string[] = []
      const order = job('order', {
        durable: true,
        run: async (_input: undefined, ctx) => {
          await ctx.run('quick', () => void calls.push('quick'))
          return await ctx.run('deaf', () => {
            calls.push('deaf')
            return calls.length === 2 ? gate.opened.then(() => 'first') : Promise.resolve('second')
          })
        },
      })
      const node = await all.node({ jobs: [order], shutdownGrace: '1s' })
      const { id } = await node.app.enqueue(order)
      await all.settle()
      expect(await all.until(node.app.stop(), '4s')).toMatchObject([{ executionId: id, jobType: 'order' }])
      expect(node.timers).toBe(0)
      const other = await all.node({ jobs: [order], staleCheckInterval: '1s' })
      expect(calls).toEqual(['quick', 'deaf'])
      gate.open()
      await all.pass('15s')
      expect(await other.execution(id)).toMatchObject({ status: 'SUCCESS', output: 'second', attempt: 1 })
      expect(calls).toEqual(['quick', 'deaf', 'deaf'])
    })

    it('leaves a result of an activity that ends when it is told to recorded', async () => {
      await using all = new Processes()
      const calls: string[] = []
      const order = job('order', {
        durable: true,
        run: async (_input: undefined, ctx) => {
          return await ctx.run('heeds', ({ signal }) => {
            calls.push('heeds')
            return aborted(signal).catch(() => 'last words')
          })
        },
      })
      const node = await all.node({ jobs: [order], shutdownGrace: '1s' })
      const { id } = await node.app.enqueue(order)
      await all.settle()
      expect(await all.until(node.app.stop(), '4s')).toEqual([])
      const other = await all.node({ jobs: [order] })
      await all.pass('5s')
      expect(await other.execution(id)).toMatchObject({ status: 'SUCCESS', output: 'last words', attempt: 1 })
      expect(calls).toEqual(['heeds'])
    })
  })

  it('is not ready from the first moment on', async () => {
    await using all = new Processes()
    const gate = new Gate()
    const work = job('work', { run: () => gate.opened })
    const node = await all.node({ jobs: [work] })
    await node.app.enqueue(work)
    await all.settle()
    expect(await node.app.health()).toMatchObject({ status: 'healthy' })
    const stopping = node.app.stop()
    expect(await node.app.health()).toMatchObject({ status: 'unhealthy', reason: 'The node is stopping.' })
    gate.open()
    await all.until(stopping)
  })

  it('keeps the result of a handler that finishes when it is told to end', async () => {
    await using all = new Processes()
    const work = job('work', { run: (_input, { signal }) => aborted(signal).catch(() => 'last words') })
    const node = await all.node({ jobs: [work], shutdownGrace: '1s' })
    const { id } = await node.app.enqueue(work)
    await all.settle()
    await all.until(node.app.stop(), '3s')
    expect(await all.process().execution(id)).toMatchObject({ status: 'SUCCESS', output: 'last words' })
  })

  it('without any grace hands back at once', async () => {
    await using all = new Processes()
    const work = job('work', { run: (_input, { signal }) => aborted(signal) })
    const node = await all.node({ jobs: [work], shutdownGrace: 0 })
    const { id } = await node.app.enqueue(work)
    await all.settle()
    await all.until(node.app.stop(), '1s')
    expect(await all.process().execution(id)).toMatchObject({ status: 'QUEUED', attempt: 0 })
  })

  it.each<[string, string, Partial<JobTypeOptions<undefined, unknown>>]>([
    ['its claim', 'leases.claim', {}],
    ['its rate', 'rates.acquire', { rateLimit: { limit: 5, per: '1h' } }],
  ])('hands back what begins when the grace is over, since the answer about %s was late', async (_what, verb, type) => {
    await using all = new Processes()
    const gate = new Gate()
    const contexts: JobContext[] = []
    const work = job('work', {
      ...type,
      run: (_input: undefined, context) => {
        contexts.push(context)
        return aborted(context.signal)
      },
    })
    const node = await all.node({ jobs: [work], shutdownGrace: 0 })
    node.link.intercept = async (asked, send) => {
      const answer = await send()
      if (asked === verb) await gate.opened
      // Too late for its starts: it has to ask for new ones.
      else if (asked === 'leases.claim') await all.pass('1ms')
      return answer
    }
    const { id } = await node.app.enqueue(work)
    await all.settle()
    const stopping = node.app.stop()
    await all.pass('500ms')
    gate.open()
    await all.until(stopping, '1s')
    expect(contexts).toEqual([])
    expect(await all.process().execution(id)).toMatchObject({ status: 'QUEUED', attempt: 0 })
    expect(node.timers).toBe(0)
  })

  it('leaves no timer behind when it had to abort', async () => {
    await using all = new Processes()
    const gate = new Gate()
    const work = job('work', { timeout: '1m', run: (_input: undefined, { signal }) => aborted(signal) })
    const members = batchJob('members', { size: 5, run: (_inputs, { signal }) => aborted(signal) })
    const deaf = job('deaf', { run: () => gate.opened })
    const node = await all.node({ jobs: [work, members, deaf], shutdownGrace: '1s' })
    for (const type of [work, members]) await node.app.enqueueMany(type.id, [undefined, undefined])
    await all.settle()
    await all.until(node.app.stop())
    expect(node.timers).toBe(0)
    await node.app.start()
    await node.app.enqueue(deaf)
    await all.settle()
    await all.until(node.app.stop())
    expect(node.timers).toBe(0)
    expect(node.log.of('Handlers ignore their signals and still run')).toHaveLength(1)
    gate.open()
  })

  it('keeps the lease while it waits', async () => {
    await using all = new Processes()
    const gate = new Gate()
    let runs = 0
    const work = job('work', {
      run: () => {
        runs += 1
        return gate.opened
      },
    })
    const node = await all.node({ jobs: [work], shutdownGrace: '10m' })
    await node.app.enqueue(work)
    await all.settle()
    await all.node({ jobs: [work] })
    const stopping = node.app.stop()
    await all.pass('5m')
    expect(runs).toBe(1)
    gate.open()
    await all.until(stopping)
    expect(await all.process().app.executions()).toMatchObject([{ status: 'SUCCESS', attempt: 1 }])
  })

  it('stores what was asked for just before', async () => {
    await using all = new Processes()
    const node = await all.node()
    const enqueued = Promise.all(Array.from({ length: 10 }, (_, index) => node.app.enqueue('work', index)))
    await all.until(node.app.stop())
    expect(await enqueued).toHaveLength(10)
    expect(await all.process().app.executions()).toHaveLength(10)
  })

  it('stores what was asked for just before in a process that was never started', async () => {
    await using all = new Processes()
    const producer = all.process()
    await producer.app.executions()
    const enqueued = [producer.app.enqueue('work', 1), producer.app.enqueueMany('work', [2, 3])]
    await producer.app.stop()
    await Promise.all(enqueued)
    expect(await all.process().app.executions()).toHaveLength(3)
  })

  it('stores what was asked for just before, also while its input is still being checked', async () => {
    await using all = new Processes()
    const slowly = z.object({ n: z.number().refine(() => eventLoopTurn().then(() => true)) })
    const work = job('work', { input: slowly, run: () => {} })
    const producer = all.process({ jobs: [work] })
    await producer.app.executions()
    const enqueued = producer.app.enqueue(work, { n: 1 })
    await producer.app.stop()
    expect(await enqueued.catch((error: unknown) => error)).toMatchObject({ isNew: true })
    expect(await all.process().app.executions()).toHaveLength(1)
  })

  it.each<[string, () => unknown]>([
    ['succeeds', () => 'done'],
    [
      'fails and is to be tried again in a minute',
      () => {
        throw new Error('again')
      },
    ],
  ])('leaves nothing behind when what ran %s', async (_how, end) => {
    await using all = new Processes()
    const gate = new Gate()
    const work = job('work', { timeout: '1h', run: () => gate.opened.then(end) })
    const node = await all.node({ jobs: [work] })
    await node.app.enqueue(work)
    await all.settle()
    const stopping = node.app.stop()
    gate.open()
    await all.until(stopping, '1s')
    expect(node.timers).toBe(0)
    const asked = node.link.asked.length
    await all.pass('10m')
    expect(node.link.asked).toHaveLength(asked)
  })

  it('twice at once waits twice', async () => {
    await using all = new Processes()
    const gate = new Gate()
    const work = job('work', { run: () => gate.opened })
    const node = await all.node({ jobs: [work] })
    await node.app.enqueue(work)
    await all.settle()
    let stopped = 0
    const count = () => {
      stopped += 1
    }
    const stops = [node.app.stop().then(count), node.app.stop().then(count)]
    await all.pass('2s')
    expect(stopped).toBe(0)
    gate.open()
    await Promise.all(stops)
  })

  it('of what was never used does nothing', async () => {
    await using all = new Processes()
    const process = all.process()
    await process.app.stop()
    await process.app.stop()
    expect(process.link.asked).toEqual([])
  })

  it('comes by itself at the end of a block', async () => {
    await using all = new Processes()
    const work = job('work', { run: () => 'done' })
    const node = await all.node({ jobs: [work] })
    {
      await using app = node.app
      await app.enqueue(work)
    }
    const other = all.process()
    expect(await other.app.nodes()).toEqual([])
    expect(await other.app.executions()).toMatchObject([{ status: expect.stringMatching('SUCCESS|QUEUED') as string }])
  })

  it('gives up on a store that is away, so that the lease runs out by itself', async () => {
    await using all = new Processes()
    const gate = new Gate()
    const work = job('work', { run: () => gate.opened.then(() => 'done') })
    const node = await all.node({ jobs: [work], shutdownGrace: '10s' })
    const { id } = await node.app.enqueue(work)
    await all.settle()
    node.link.isAway = true
    gate.open()
    await all.until(node.app.stop(), '1m')
    const other = await all.node({ jobs: [work] })
    await all.pass('36s')
    expect(await other.execution(id)).toMatchObject({ status: 'SUCCESS', attempts: [{ status: 'LOST' }, {}] })
  })

  it('and start again on the same application goes on', async () => {
    await using all = new Processes()
    const work = job('work', { run: () => 'done' })
    const node = await all.node({ jobs: [work] })
    await all.until(node.app.stop())
    const { id } = await all.process().app.enqueue(work)
    await node.app.start()
    await all.settle()
    expect(await node.execution(id)).toMatchObject({ status: 'SUCCESS' })
  })
})

describe('start', () => {
  it('twice starts one node', async () => {
    await using all = new Processes()
    const node = await all.node()
    await Promise.all([node.app.start(), node.app.start()])
    expect(await node.app.nodes()).toHaveLength(1)
  })

  it.each(['open', 'pulse', 'nodes.register', 'jobs.list'])('that failed at %s can be tried again', async (verb) => {
    await using all = new Processes()
    const work = job('work', { run: () => 'done' })
    const node = all.process({ jobs: [work] })
    let isBroken = true
    node.link.intercept = (asked, send) => (isBroken && asked === verb ? Promise.reject(new Error('not yet')) : send())
    await expect(node.app.start()).rejects.toThrow('not yet')
    isBroken = false
    await node.app.start()
    const { id } = await node.app.enqueue(work)
    await all.settle()
    expect(await node.execution(id)).toMatchObject({ status: 'SUCCESS' })
  })

  it('of an application without anything but a store and handlers is enough', async () => {
    await using all = new Processes()
    const work = job('work', { schedule: { trigger: cron('* * * * *') }, run: () => 'done' })
    const node = await all.node({ jobs: [work] })
    await all.pass('3m')
    expect(await node.app.executions({ statuses: ['SUCCESS'] })).toHaveLength(3)
    expect(node.log.at('error')).toEqual([])
    expect(node.log.at('warn')).toEqual([])
  })
})
