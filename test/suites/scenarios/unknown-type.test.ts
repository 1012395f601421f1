import { describe, expect, it } from 'vitest'
import { job } from '../../../src/job/type/job-type.ts'
import { cron } from '../../../src/time.ts'
import { Processes } from './processes.ts'

describe('an execution whose type a node does not know', () => {
  it('stays for a node that does', async () => {
    await using all = new Processes()
    const known = job('known', { run: () => 'done' })
    const late = job('late', { run: (name: string) => `late ${name}` })
    const first = await all.node({ jobs: [known] })
    const { id: strange } = await first.app.enqueue('late', 'x')
    const { id: usual } = await first.app.enqueue(known)
    await all.pass('5m')
    expect(await first.execution(usual)).toMatchObject({ status: 'SUCCESS' })
    expect(await first.execution(strange)).toMatchObject({ status: 'QUEUED', attempt: 0, epoch: 0 })
    expect(first.log.at('error')).toEqual([])
    await all.node({ jobs: [late] })
    await all.settle()
    expect(await first.execution(strange)).toMatchObject({ status: 'SUCCESS', output: 'late x', attempt: 1 })
  })

  it('does not keep a node from what it knows', async () => {
    await using all = new Processes()
    const known = job('known', { run: () => 'done' })
    const producer = all.process()
    await producer.app.enqueueMany(
      'strange',
      Array.from({ length: 1_000 }, (_, index) => index),
      { priority: 'HIGH' },
    )
    const { id } = await producer.app.enqueue(known, undefined, { priority: 'LOW' })
    await all.node({ jobs: [known], node: { slots: 1 } })
    expect(await producer.execution(id)).toMatchObject({ status: 'SUCCESS' })
  })

  it('is not asked for more than twice a second', async () => {
    await using all = new Processes()
    const node = await all.node({ jobs: [job('known', { run: () => 'done' })] })
    await node.app.enqueue('strange')
    await all.pass('1s')
    const before = node.link.asked.length
    await all.pass('1m')
    const perSecond = (node.link.asked.length - before) / 60
    expect(perSecond).toBeLessThanOrEqual(2.5)
  })

  it('is left by a node without any job type', async () => {
    await using all = new Processes()
    const node = await all.node()
    const { id } = await node.app.enqueue('work')
    await all.pass('1m')
    expect(await node.execution(id)).toMatchObject({ status: 'QUEUED' })
    expect(node.link.asked).not.toContain('leases.claim')
  })
})

describe('a job type id that no active node knows', () => {
  const WARNING = 'No active node knows this job type; its executions wait'
  const known = job('send-mail', { run: () => 'done' })

  it('is warned about once per type and minute, with the nearest id', async () => {
    await using all = new Processes()
    await all.node({ jobs: [known] })
    const { app, log } = await all.node()
    const send = async (type: string) => {
      await app.enqueue(type)
      await all.settle()
    }
    for (const type of ['send-mial', 'send-mial', 'something else', 'send-mail']) await send(type)
    expect(log.of(WARNING).map(({ level, fields }) => [level, fields])).toEqual([
      ['warn', { jobType: 'send-mial', nearest: 'send-mail' }],
      ['warn', { jobType: 'something else', nearest: null }],
    ])
    await all.pass('59s')
    await send('send-mial')
    expect(log.of(WARNING)).toHaveLength(2)
    await all.pass('1s')
    await app.enqueueMany('send-mial', [undefined, undefined])
    await all.settle()
    expect(log.of(WARNING)).toHaveLength(3)
  })

  it('is refused if the application asks for it', async () => {
    await using all = new Processes()
    const late = job('late', { run: () => 'done' })
    await all.node({ jobs: [known] })
    const { app } = await all.node({ unknownJobTypes: 'refuse' })
    await expect(app.enqueue('send-mial')).rejects.toMatchObject({
      code: 'job_type.unknown',
      message: 'No active node knows job type "send-mial". Did you mean "send-mail"?',
    })
    await expect(app.enqueueMany('late', [undefined])).rejects.toMatchObject({ code: 'job_type.unknown' })
    await expect(app.enqueue('send-mail')).resolves.toMatchObject({ isNew: true })
    await all.node({ jobs: [late] })
    await all.pass('1s')
    await expect(app.enqueue('late')).resolves.toMatchObject({ isNew: true })
  })

  it('is warned about, or refused, where a schedule names it as well', async () => {
    await using all = new Processes()
    await all.node({ jobs: [known] })
    const [warns, refuses] = [await all.node(), await all.node({ unknownJobTypes: 'refuse' })]
    const nightly = (name: string) => ({ name, trigger: cron('0 2 * * *') })
    await warns.app.schedule('send-mial', nightly('mails'))
    await warns.app.scheduleOnce('send-mail', all.now() + 1_000, { name: 'one mail' })
    await all.settle()
    expect(warns.log.of(WARNING)).toMatchObject([{ fields: { jobType: 'send-mial', nearest: 'send-mail' } }])
    await expect(refuses.app.schedule('send-mial', nightly('refused'))).rejects.toMatchObject({
      code: 'job_type.unknown',
    })
    expect(await refuses.app.job('refused')).toBeNull()
  })

  it('is accepted while no node is active: nothing is known then', async () => {
    await using all = new Processes()
    const { app } = all.process({ unknownJobTypes: 'refuse' })
    await expect(app.enqueue('send-mial')).resolves.toMatchObject({ isNew: true })
  })
})

describe('a queue', () => {
  it('that a node does not take from stays for one that does', async () => {
    await using all = new Processes()
    const work = job('work', { run: () => 'done' })
    const node = await all.node({ jobs: [work], node: { queues: ['fast'] } })
    const { id: slow } = await node.app.enqueue(work, undefined, { queue: 'slow' })
    const { id: fast } = await node.app.enqueue(work, undefined, { queue: 'fast' })
    await all.pass('10s')
    expect(await node.execution(fast)).toMatchObject({ status: 'SUCCESS' })
    expect(await node.execution(slow)).toMatchObject({ status: 'QUEUED' })
    await all.node({ jobs: [work], node: { queues: ['slow'] } })
    expect(await node.execution(slow)).toMatchObject({ status: 'SUCCESS' })
  })

  it('of a job type is taken from by the nodes that know the type', async () => {
    await using all = new Processes()
    const work = job('work', { queue: 'reports', run: () => 'done' })
    const node = await all.node({ jobs: [work] })
    const { id } = await node.app.enqueue(work)
    await all.settle()
    expect(await node.execution(id)).toMatchObject({ status: 'SUCCESS', queue: 'reports' })
  })
})

describe('a job type', () => {
  it('by its id is the same as by its object', async () => {
    await using all = new Processes()
    const node = await all.node({ jobs: [job('work', { run: (input: number) => input + 1 })] })
    const { id } = await node.app.enqueue('work', 41)
    await all.settle()
    expect(await node.execution(id)).toMatchObject({ status: 'SUCCESS', output: 42 })
  })

  it('that stands in jobs twice is refused', () => {
    const work = job('work', { run: () => 1 })
    expect(() => new Processes().process({ jobs: [work, work] })).toThrow('Job type "work" stands in jobs twice')
  })
})
