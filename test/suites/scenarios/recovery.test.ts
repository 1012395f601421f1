import { describe, expect, it } from 'vitest'
import { type JobContext, job } from '../../../src/job/type/job-type.ts'
import { cron } from '../../../src/time/triggers/cron.ts'
import { aborted, Gate } from './gate.ts'
import { Processes } from './processes.ts'
import { listOf, RecordedEvents } from './recorded.ts'

/** Work that goes on until it is let go, in whichever process. */
function longWork(retries = 3) {
  const contexts: JobContext[] = []
  const gate = new Gate()
  const work = job('work', {
    retry: { retries },
    run: async (_input, context) => {
      contexts.push(context)
      await gate.opened
      return `attempt ${context.attempt}`
    },
  })
  return { work, contexts, gate }
}

describe('a node that dies', () => {
  it('has its work done by another one after the lease, and the attempt counts', async () => {
    await using all = new Processes()
    using events = new RecordedEvents()
    const { work, contexts, gate } = longWork()
    const dead = await all.node({ jobs: [work], node: { name: 'dead' } })
    const { id } = await dead.app.enqueue(work)
    await all.settle()
    const alive = await all.node({ jobs: [work], node: { name: 'alive' } })
    const [first, second] = await alive.app.nodes()
    expect(first?.name).toBe('dead')
    dead.freeze()
    await all.pass('25s')
    expect(await alive.execution(id)).toMatchObject({ status: 'RUNNING', nodeId: first?.id, attempt: 1 })
    await all.pass('10s')
    expect(contexts.map(({ attempt }) => attempt)).toEqual([1, 2])
    expect(await alive.execution(id)).toMatchObject({ status: 'RUNNING', nodeId: second?.id, attempt: 2, epoch: 2 })
    gate.open()
    await all.settle()
    expect(await alive.execution(id)).toMatchObject({
      status: 'SUCCESS',
      output: 'attempt 2',
      attempts: [
        { attempt: 1, status: 'LOST', nodeId: first?.id },
        { attempt: 2, status: 'SUCCESS', nodeId: second?.id },
      ],
    })
    expect(events.of('execution.recovered')).toMatchObject([
      { executionId: id, attempt: 1, nodeId: first?.id, hasEnded: false },
    ])
    expect(alive.log.of('Released stale executions')).toMatchObject([{ level: 'warn', fields: { count: 1 } }])
    expect((await alive.app.nodes()).map(({ name }) => name)).toEqual(['alive'])
  })

  it('has its work taken within the lease and five seconds, whenever it dies', async () => {
    for (const second of [0, 1, 2, 3, 4, 6, 8, 11, 13, 16, 19, 22]) {
      const all = new Processes()
      const { work, contexts, gate } = longWork()
      const dead = await all.node({ jobs: [work] })
      await dead.app.enqueue(work)
      await all.settle()
      await all.node({ jobs: [work] })
      await all.pass(second * 1_000)
      dead.freeze()
      await all.pass('35s')
      expect(contexts).toHaveLength(2)
      gate.open()
      await all[Symbol.asyncDispose]()
    }
  })

  it('again and again ends the execution at its last attempt and faults the job', async () => {
    await using all = new Processes()
    using events = new RecordedEvents()
    const { work, contexts } = longWork(1)
    const watcher = await all.node({ jobs: [job('other', { run: () => 1 })] })
    await watcher.app.schedule(work, { name: 'killer', trigger: cron('0 0 1 1 *') })
    const id = await watcher.app.runNow('killer')
    for (let kill = 1; kill <= 2; kill += 1) {
      const victim = await all.node({ jobs: [work] })
      await all.settle()
      expect(contexts).toHaveLength(kill)
      victim.freeze()
      await all.pass('35s')
    }
    await all.node({ jobs: [work] })
    await all.pass('1m')
    expect(contexts).toHaveLength(2)
    expect(await watcher.execution(id)).toMatchObject({
      status: 'FAILED',
      attempt: 2,
      error: { code: 'execution.node_lost' },
      attempts: [{ status: 'LOST' }, { status: 'LOST' }],
    })
    expect(await watcher.app.job('killer')).toMatchObject({ status: 'FAULTED' })
    expect(events.of('execution.recovered').map(({ hasEnded }) => hasEnded)).toEqual([false, true])
    expect(events.of('job.faulted')).toMatchObject([{ job: 'killer', executionId: id }])
  })

  it('takes other work along, but no other attempt of it', async () => {
    await using all = new Processes()
    const { work, contexts, gate } = longWork()
    const dead = await all.node({ jobs: [work], node: { slots: 20 } })
    const enqueued = await dead.app.enqueueMany(
      work,
      Array.from({ length: 20 }, () => undefined),
    )
    await all.settle()
    dead.freeze()
    const alive = await all.node({ jobs: [work], node: { slots: 20 } })
    await all.pass('35s')
    gate.open()
    await all.settle()
    const executions = await alive.app.executions({ statuses: ['SUCCESS'] })
    expect(executions).toHaveLength(enqueued.length)
    expect(executions.every(({ attempts }) => attempts.length === 2)).toBe(true)
    expect(contexts).toHaveLength(40)
  })
})

describe('a node that lost its work', () => {
  async function lost() {
    const all = new Processes()
    const contexts: JobContext[] = []
    const gates = [new Gate(), new Gate()]
    const work = job('work', {
      run: async (_input, context) => {
        contexts.push(context)
        await gates[contexts.length - 1]?.opened
        return `attempt ${context.attempt}`
      },
    })
    const old = await all.node({ jobs: [work] })
    const { id } = await old.app.enqueue(work)
    await all.settle()
    const other = await all.node({ jobs: [work] })
    old.freeze()
    await all.pass('35s')
    expect(contexts).toHaveLength(2)
    const [first, second] = contexts
    if (!first || !second) throw new Error('Two attempts are expected.')
    return { all, old, other, id, first, second, gates }
  }

  it('cannot record a result', async () => {
    const { all, old, other, id, gates } = await lost()
    await using _ = all
    using events = new RecordedEvents()
    // Its result is on the way when it wakes up.
    gates[0]?.open()
    await all.settle()
    old.thaw()
    await all.pass('1s')
    expect(await other.execution(id)).toMatchObject({ status: 'RUNNING', attempt: 2, output: undefined })
    gates[1]?.open()
    await all.settle()
    expect(await other.execution(id)).toMatchObject({ status: 'SUCCESS', output: 'attempt 2' })
    expect(events.of('execution.refused')).toMatchObject([{ executionId: id, attempt: 1, epoch: 1, write: 'success' }])
    expect(events.of('execution.succeeded')).toHaveLength(1)
  })

  it('cannot log or report progress, and its signal is aborted', async () => {
    const { all, old, other, id, first, second, gates } = await lost()
    await using _ = all
    second.progress(0.5, 'mine')
    second.logger.info('mine')
    await all.settle()
    old.thaw()
    first.logger.info('late')
    first.progress(0.9, 'late')
    await all.settle()
    expect(first.signal.aborted).toBe(true)
    expect(second.signal.aborted).toBe(false)
    expect(await other.execution(id)).toMatchObject({ progress: 0.5, progressNote: 'mine' })
    const lines = await listOf(other.app.logs(id))
    expect(lines.map(({ message }) => message)).toEqual(['mine'])
    for (const gate of gates) gate.open()
  })

  it('comes back as another node, aborts what it ran, and goes on', async () => {
    const { all, old, gates, first } = await lost()
    await using _ = all
    using events = new RecordedEvents()
    old.thaw()
    await all.pass('6s')
    expect(first.signal.aborted).toBe(true)
    expect(events.of('node.lost')).toHaveLength(1)
    expect(events.of('node.started')).toHaveLength(1)
    expect(await old.app.nodes()).toHaveLength(2)
    expect(await old.app.health()).toMatchObject({ status: 'healthy', isRunning: true, running: 0 })
    for (const gate of gates) gate.open()
    await all.settle()
    const { id } = await old.app.enqueue('work')
    await all.pass('1s')
    expect(await old.execution(id)).toMatchObject({ status: 'SUCCESS' })
  })
})

describe('a node that lives', () => {
  it('is never stale, however long its work takes', async () => {
    await using all = new Processes()
    const { work, contexts, gate } = longWork()
    const busy = await all.node({ jobs: [work] })
    const other = await all.node({ jobs: [work] })
    const { id } = await busy.app.enqueue(work)
    await all.pass('2h')
    expect(contexts).toHaveLength(1)
    expect(await other.app.releaseStale()).toBe(0)
    expect(await other.app.releaseStale('1s')).toBe(0)
    expect(await other.app.health()).toMatchObject({ status: 'healthy', stale: 0 })
    gate.open()
    await all.settle()
    expect(await other.execution(id)).toMatchObject({ status: 'SUCCESS', attempt: 1 })
  })

  it('but is not heard for less than its lease keeps its work', async () => {
    await using all = new Processes()
    const { work, contexts, gate } = longWork()
    const slow = await all.node({ jobs: [work] })
    const { id } = await slow.app.enqueue(work)
    await all.settle()
    const other = await all.node({ jobs: [work] })
    slow.freeze()
    await all.pass('24s')
    slow.thaw()
    await all.pass('2m')
    expect(contexts).toHaveLength(1)
    gate.open()
    await all.settle()
    expect(await other.execution(id)).toMatchObject({ status: 'SUCCESS', attempt: 1 })
  })
})

describe('releaseStale', () => {
  it('by hand gives back what has been silent for so long, says how many, and warns', async () => {
    await using all = new Processes()
    const { work } = longWork()
    const dead = await all.node({ jobs: [work] })
    await dead.app.enqueueMany(work, [undefined, undefined, undefined])
    await all.settle()
    dead.freeze()
    // Nobody runs who would do it by itself.
    const operator = all.process()
    await all.pass('29s')
    expect(await operator.app.releaseStale()).toBe(0)
    await all.pass('31s')
    expect(await operator.app.health()).toMatchObject({ stale: 3 })
    expect(await operator.app.releaseStale('5m')).toBe(0)
    expect(await operator.app.releaseStale('30s')).toBe(3)
    expect(await operator.app.releaseStale()).toBe(0)
    expect(operator.log.of('Released stale executions')).toMatchObject([{ level: 'warn', fields: { count: 3 } }])
    const executions = await operator.app.executions()
    expect(executions.map(({ status, attempt }) => [status, attempt])).toEqual([
      ['QUEUED', 1],
      ['QUEUED', 1],
      ['QUEUED', 1],
    ])
  })

  it.each(['soon', -1])('refuses %j', async (staleness) => {
    await using all = new Processes()
    await expect(all.process().app.releaseStale(staleness)).rejects.toThrow('staleness must be')
  })

  it('follows the threshold and the interval that an application sets', async () => {
    await using all = new Processes()
    const { work, contexts, gate } = longWork()
    const settings = { staleThreshold: '5m', staleCheckInterval: '30s' }
    const dead = await all.node({ jobs: [work], ...settings })
    await dead.app.enqueue(work)
    await all.settle()
    await all.node({ jobs: [work], ...settings })
    dead.freeze()
    await all.pass('4m 50s')
    expect(contexts).toHaveLength(1)
    await all.pass('40s')
    expect(contexts).toHaveLength(2)
    gate.open()
  })
})

describe('purgeExecutions', () => {
  it('removes what ended longer ago, by the time of its end, and says how many', async () => {
    await using all = new Processes()
    const gate = new Gate()
    const quick = job('quick', { run: (_input, { logger }) => logger.info('x') })
    const slow = job('slow', { run: () => gate.opened })
    const node = await all.node({ jobs: [quick, slow], staleThreshold: '1000 days' })
    const { id: running } = await node.app.enqueue(slow)
    const { id: old } = await node.app.enqueue(quick)
    const { id: delayed } = await node.app.enqueue(quick, undefined, { delay: '30 days' })
    await all.pass('2h')
    gate.open()
    await all.settle()
    const { id: recent } = await node.app.enqueue(quick)
    await all.settle()
    expect(await node.app.purgeExecutions('3h')).toBe(0)
    expect(await node.app.purgeExecutions('1h')).toBe(1)
    expect(await node.app.execution(old)).toBeNull()
    expect(await listOf(node.app.logs(old))).toEqual([])
    for (const id of [running, delayed, recent]) expect(await node.app.execution(id)).not.toBeNull()
    await all.pass('1s')
    expect(await node.app.purgeExecutions(0)).toBe(2)
    expect(await node.app.execution(delayed)).toMatchObject({ status: 'QUEUED' })
  })

  it('takes any number', async () => {
    await using all = new Processes()
    const node = await all.node()
    const enqueued = await node.app.enqueueMany(
      'x',
      Array.from({ length: 12_000 }, (_, index) => index),
    )
    for (const { id } of enqueued) await node.app.cancel(id)
    await all.pass('1s')
    expect(await node.app.purgeExecutions(0)).toBe(12_000)
  })
})

describe('a handler that does as it is told', () => {
  it('ends when its node has lost the execution', async () => {
    await using all = new Processes()
    let ended = 0
    const work = job('work', {
      run: async (_input, { signal, attempt }) => {
        if (attempt > 1) return
        await aborted(signal).catch(() => {
          ended += 1
        })
      },
    })
    const old = await all.node({ jobs: [work] })
    const { id } = await old.app.enqueue(work)
    await all.settle()
    await all.node({ jobs: [work] })
    old.freeze()
    await all.pass('40s')
    old.thaw()
    await all.pass('6s')
    expect(ended).toBe(1)
    expect(await old.execution(id)).toMatchObject({ status: 'SUCCESS', attempt: 2 })
  })
})
