import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { cron, job } from '../../../src/index.ts'
import { Gate } from './gate.ts'
import { Processes } from './processes.ts'

describe('who waits for an execution', () => {
  it('is told when it has ended', async () => {
    await using all = new Processes()
    const gate = new Gate()
    const work = job('work', { run: () => gate.opened.then(() => 'done') })
    const node = await all.node({ jobs: [work] })
    const { id } = await node.app.enqueue(work)
    const waiting = node.app.waitFor(id)
    await all.pass('10s')
    gate.open()
    await all.until(waiting)
    expect(await waiting).toMatchObject({ status: 'SUCCESS', output: 'done' })
  })

  it('gives up after the time he gave', async () => {
    await using all = new Processes()
    const node = await all.node()
    const { id } = await node.app.enqueue('work', null, { delay: '1h' })
    const waiting = node.app.waitFor(id, { timeout: '10s' }).catch((error: unknown) => error)
    await all.until(waiting)
    expect(await waiting).toMatchObject({ code: 'wait.timeout', details: { status: 'QUEUED', timeoutMs: 10_000 } })
  })

  it.each([
    ['for its end', (node: Awaited<ReturnType<Processes['node']>>, id: string) => node.app.waitFor(id)],
    [
      'for its log',
      (node: Awaited<ReturnType<Processes['node']>>, id: string) => node.app.logs(id, { follow: true }).next(),
    ],
  ])('%s is told when the application stops, and leaves no timer behind', async (_what, wait) => {
    await using all = new Processes()
    const node = await all.node()
    const { id } = await node.app.enqueue('work', null, { delay: '1h' })
    const waiting = wait(node, id).catch((error: unknown) => error)
    await all.pass('5s')
    await all.until(node.app.stop())
    expect(await waiting).toMatchObject({ code: 'pontual.stopped' })
    expect(node.timers).toBe(0)
  })
})

describe('what is asked of an application', () => {
  it.each<[string, (app: Awaited<ReturnType<Processes['node']>>['app']) => Promise<unknown> | (() => void)]>([
    ['executions with a status that is none', (app) => app.executions({ statuses: ['DONE' as 'SUCCESS'] })],
    ['executions with an unknown field', (app) => app.executions({ status: 'SUCCESS' } as object)],
    ['jobs with a status that is none', (app) => app.jobs({ statuses: ['X' as 'ACTIVE'] })],
    ['to wait with an unknown option', (app) => app.waitFor('x', { timeoutMs: 5 } as object)],
    ['logs with an unknown option', (app) => app.logs('x'.repeat(36), { folow: true } as object).next()],
    ['bulk without a list', (app) => app.enqueueMany('work', {} as unknown[])],
    ['an event that is none', async (app) => app.on('execution.fail' as 'execution.failed', () => {})],
  ])('is refused by name: %s', async (_what, ask) => {
    await using all = new Processes()
    const { app } = await all.node()
    await expect(Promise.resolve().then(() => ask(app))).rejects.toMatchObject({ name: 'InvalidInputError' })
  })

  it('is checked as it will be stored: a date is a date, and its text is not', async () => {
    await using all = new Processes()
    const strict = job('strict', { input: z.object({ at: z.date() }), run: () => {} })
    const lenient = job('lenient', { input: z.object({ at: z.coerce.date() }), run: ({ at }) => at.getTime() })
    const node = await all.node({ jobs: [strict, lenient] })
    const text = { at: new Date(5).toISOString() }
    await expect(node.app.enqueue('strict', text)).rejects.toMatchObject({ code: 'payload.invalid' })
    const { id } = await node.app.enqueue('lenient', text)
    const { id: typed } = await node.app.enqueue(strict, { at: new Date(5) })
    await all.settle()
    expect(await node.execution(id)).toMatchObject({ status: 'SUCCESS', output: 5 })
    expect(await node.execution(typed)).toMatchObject({ status: 'SUCCESS' })
  })

  it.each<[string, unknown]>([
    ['a string', '* * * * *'],
    ['a cron in place of a trigger', { cron: '* * * * *' }],
    ['a trigger that is text', { trigger: '* * * * *' }],
  ])('a schedule that is %s is refused where it is declared', (_what, schedule) => {
    expect(() => job('nightly', { schedule: schedule as never, run: () => {} })).toThrow('"nightly": schedule')
  })
})

describe('a job whose type no node runs', () => {
  it('is warned about once, when it is so for a minute', async () => {
    await using all = new Processes()
    const node = await all.node({ jobs: [job('other', { run: () => {} })] })
    await node.app.schedule('gone', { name: 'tick', trigger: cron('* * * * *') })
    await all.pass('5m')
    const lines = node.log.of('A job fires, but no node runs its job type: what it fires waits')
    expect(lines).toMatchObject([{ level: 'warn', fields: { job: 'tick', jobType: 'gone' } }])
  })

  it('is not warned about where another node runs it', async () => {
    await using all = new Processes()
    const node = await all.node({ jobs: [] })
    await all.node({ jobs: [job('there', { run: () => {} })] })
    await node.app.schedule('there', { name: 'tick', trigger: cron('* * * * *') })
    await all.pass('5m')
    expect(node.log.at('warn')).toEqual([])
  })
})

describe('a handler that ignores its signal', () => {
  it('is told about once when it is cancelled', async () => {
    await using all = new Processes()
    const gate = new Gate()
    const work = job('work', { run: () => gate.opened })
    const node = await all.node({ jobs: [work] })
    const { id } = await node.app.enqueue(work)
    await all.settle()
    await node.app.cancel(id)
    await all.pass('20s')
    const message = 'A handler ignores its signal and goes on, although its attempt is over'
    expect(node.log.of(message)).toHaveLength(1)
    gate.open()
  })
})
