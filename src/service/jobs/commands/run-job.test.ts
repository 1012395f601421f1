import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ana, bia, dev, fields, openStage, refusalOf, type Stage } from '../../../../test/http/service/stage.ts'
import { job } from '../../../job/type/job-type.ts'
import type { NewJobFields } from '../../job-view.ts'

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
})
afterEach(async () => await stage[Symbol.asyncDispose]())

const create = (change: Partial<NewJobFields> = {}) => stage.service.jobs.create(ana, fields(change))
const history = (id: string) => stage.service.jobs.history(ana, id, { limit: 100, archived: false })
const all = { executionId: null, reason: null }

describe('execute', () => {
  it('runs a job now, for whoever asks', async () => {
    const { id } = await create({ payload: { month: '01' } })
    const { executionId, isNew, notice } = await stage.service.jobs.execute(dev, id, {})
    expect({ isNew, notice }).toEqual({ isNew: true, notice: null })
    await stage.test.settle()
    expect(await stage.service.executions.get(ana, executionId)).toMatchObject({
      jobId: id,
      status: 'SUCCESS',
      origin: 'manual',
      executedBy: 'davi',
      executionNumber: 1,
      payload: { month: '01' },
      output: { invoices: 3 },
      attempts: [{ attempt: 1, status: 'SUCCESS', errorMessage: null }],
    })
  })

  it('takes another payload and priority', async () => {
    const { id } = await create({ payload: { month: '01' } })
    const { executionId } = await stage.service.jobs.execute(ana, id, { payload: { month: '02' }, priority: 'HIGH' })
    expect(await stage.service.executions.get(ana, executionId)).toMatchObject({
      payload: { month: '02' },
      priority: 'HIGH',
    })
  })

  it.each<[string, object, unknown]>([
    ['a payload that does not fit', { payload: { month: 1 } }, { '/payload/month': 'payload_invalid' }],
    ['a payload that is too large', { payload: { month: 'x'.repeat(262_144) } }, { '/payload': 'payload_too_large' }],
    ['a priority of no kind', { priority: 'URGENT' }, { '/priority': 'format_invalid' }],
  ])('refuses %s', async (_, options, expected) => {
    const { id } = await create()
    expect(await refusalOf(stage.service.jobs.execute(ana, id, options))).toEqual(expected)
  })

  it('with the same id runs once', async () => {
    const { id } = await create()
    const options = { id: '019b76da-a800-7fff-8000-000000000002' }
    const first = await stage.service.jobs.execute(ana, id, options)
    await stage.test.settle()
    expect(await stage.service.jobs.execute(ana, id, options)).toEqual(first)
    await stage.test.settle()
    expect((await history(id)).items).toHaveLength(1)
  })

  it('tells that a tenant runs as many as it may', async () => {
    await stage.service.administration.updateSettings(ana, { concurrency: 2 }, null)
    const { id } = await create({ jobType: 'Demorar' })
    const notices: unknown[] = []
    for (let n = 0; n < 3; n += 1) {
      notices.push((await stage.service.jobs.execute(ana, id, {})).notice)
      await stage.test.settle()
    }
    expect(notices).toEqual([null, null, 'maxWorkersExceeded'])
    expect(await stage.service.overview.dashboard(ana)).toMatchObject({
      running: 2,
      queued: 1,
      workers: { used: 2, maximum: 2 },
    })
    expect(await stage.service.overview.workers(ana)).toMatchObject({
      running: 2,
      queued: 1,
      cap: 2,
      queues: [{ queue: 'default', queued: 1 }],
    })
    expect((await stage.service.jobs.cancel(ana, id, all)).cancelled).toHaveLength(3)
  })

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['disabled', (id) => stage.service.jobs.update(ana, id, { status: 'DISABLED' })],
    ['deleted', (id) => stage.service.jobs.remove(ana, id)],
  ])('is a conflict for a job that is %s', async (_, change) => {
    const { id } = await create()
    await change(id)
    expect(await refusalOf(stage.service.jobs.execute(ana, id, {}))).toBe('JobConflictError job.status_conflict')
  })
})

describe('enqueue', () => {
  it('runs a job by its id or by its name, now or later', async () => {
    const { id, name } = await create()
    await stage.service.jobs.enqueue(ana, { jobId: id })
    await stage.service.jobs.enqueue(ana, { jobName: name, delayMs: 60_000 })
    await stage.service.jobs.enqueue(ana, { jobName: name, runAt: '2026-01-01T01:00:00Z' })
    const ended = async () => (await history(id)).items.filter(({ status }) => status === 'SUCCESS').length
    await stage.test.settle()
    expect(await ended()).toBe(1)
    await stage.test.advance('1m')
    expect(await ended()).toBe(2)
    await stage.test.advance('59m')
    expect(await ended()).toBe(3)
  })

  it('with the same key runs once, and with another payload not at all', async () => {
    const { id } = await create()
    const ask = (payload: unknown) => stage.service.jobs.enqueue(ana, { jobId: id, idempotencyKey: 'k', payload })
    const first = await ask({ month: '01' })
    expect(await ask({ month: '01' })).toEqual({ ...first, isNew: false })
    expect(await refusalOf(ask({ month: '02' }))).toBe('IdempotencyError idempotency.mismatch')
  })

  it.each<[string, object, unknown]>([
    ['no job', {}, { '/jobId': 'required' }],
    ['two jobs', { jobId: 'x', jobName: 'y' }, { '/jobName': 'contradiction' }],
    ['a name nobody has', { jobName: 'nobody' }, 'NotFoundError not_found'],
    ['a name that is none', { jobName: '' }, { '/jobName': 'format_invalid' }],
    ['two times', { runAt: '2026-01-02T00:00:00Z', delayMs: 1 }, { '/delayMs': 'contradiction' }],
    ['a delay below zero', { delayMs: -1 }, { '/delayMs': 'out_of_range' }],
    ['a delay of eleven years', { delayMs: 11 * 366 * 86_400_000 }, { '/delayMs': 'out_of_range' }],
    ['a day that there is not', { runAt: '2026-02-30T00:00:00Z' }, { '/runAt': 'format_invalid' }],
    ['an instant that is past', { runAt: '2001-01-01T00:00:00Z' }, { '/runAt': 'out_of_range' }],
    ['an instant without an offset', { runAt: '2026-02-20T00:00:00' }, { '/runAt': 'format_invalid' }],
    ['an endless key', { idempotencyKey: 'k'.repeat(10_000) }, { '/idempotencyKey': 'format_invalid' }],
  ])('refuses %s', async (_, change, expected) => {
    const { name } = await create()
    const named = 'jobName' in change || Object.keys(change).length === 0 ? change : { jobName: name, ...change }
    expect(await refusalOf(stage.service.jobs.enqueue(ana, named))).toEqual(expected)
  })
})

describe('cancel', () => {
  it('ends all of a job that have not ended, and tells who did', async () => {
    const { id } = await create({ jobType: 'Demorar' })
    const running = await stage.service.jobs.execute(ana, id, {})
    await stage.test.settle()
    const later = await stage.service.jobs.enqueue(ana, { jobId: id, delayMs: 1_000 })
    const { cancelled } = await stage.service.jobs.cancel(bia, id, { executionId: null, reason: 'not now' })
    expect(cancelled.toSorted()).toEqual([running.executionId, later.executionId].toSorted())
    await stage.test.settle()
    expect(await stage.service.executions.get(ana, running.executionId)).toMatchObject({
      status: 'CANCELLED',
      errorMessage: 'not now',
    })
    const { items } = await stage.service.audit.list(ana, { limit: 10, operation: ['JOBS_JOB_CANCEL'] })
    expect(items.map(({ userId }) => userId)).toEqual(['bia', 'bia'])
    expect(await stage.service.jobs.cancel(bia, id, all)).toEqual({ cancelled: [], cancelling: [] })
  })

  it('of one that has ended is a conflict', async () => {
    const { id } = await create()
    const { executionId } = await stage.service.jobs.execute(ana, id, {})
    await stage.test.settle()
    const conflict = 'PontualError execution.status_conflict'
    expect(await refusalOf(stage.service.jobs.cancel(ana, id, { executionId, reason: null }))).toBe(conflict)
    expect(await refusalOf(stage.service.executions.cancel(ana, executionId, null))).toBe(conflict)
  })

  it('asks a durable one to clean up first', async () => {
    const { id } = await create({ jobType: 'pedido' })
    const { executionId } = await stage.service.jobs.execute(ana, id, {})
    await stage.test.settle()
    expect(await stage.service.executions.cancel(ana, executionId, null)).toEqual({
      cancelled: [],
      cancelling: [executionId],
    })
    await stage.test.settle()
    expect(await stage.service.executions.get(ana, executionId)).toMatchObject({ status: 'CANCELLED' })
  })
})

describe('retry', () => {
  it('runs the last that failed once more', async () => {
    const { id } = await create({ jobType: 'Falhar' })
    expect(await refusalOf(stage.service.jobs.retry(ana, id, null))).toBe('ConflictError job.nothing_to_retry')
    const { executionId } = await stage.service.jobs.execute(ana, id, {})
    await stage.test.settle()
    expect(await stage.service.jobs.get(ana, id)).toMatchObject({
      status: 'FAULTED',
      statistics: { failed: 1, successRate: 0, lastFailure: { executionId, errorMessage: 'no such file' } },
    })
    const again = await stage.service.jobs.retry(bia, id, null)
    expect(await stage.service.executions.get(ana, again.executionId)).toMatchObject({
      origin: 'retry',
      retryOf: executionId,
      executedBy: 'bia',
    })
    const same = { id: '019b76da-a800-7fff-8000-000000000003' }
    expect((await stage.service.jobs.retry(ana, id, executionId, same)).executionId).toBe(same.id)
    expect((await stage.service.jobs.retry(ana, id, executionId, same)).executionId).toBe(same.id)
    await stage.test.settle()
    expect((await history(id)).items).toHaveLength(3)
  })

  it('of one that succeeded is a conflict', async () => {
    const { id } = await create()
    const { executionId } = await stage.service.jobs.execute(ana, id, {})
    await stage.test.settle()
    expect(await refusalOf(stage.service.jobs.retry(ana, id, executionId))).toBe(
      'PontualError execution.status_conflict',
    )
  })
})

describe('a durable execution', () => {
  it('takes a signal, shows its history, and can be restarted, and all of that is recorded', async () => {
    const { id } = await create({ jobType: 'pedido' })
    const { executionId } = await stage.service.jobs.execute(ana, id, {})
    await stage.test.settle()
    await stage.service.executions.signal(ana, executionId, { name: 'go', payload: { ok: true } })
    await stage.test.settle()
    expect(await stage.service.executions.get(ana, executionId)).toMatchObject({
      status: 'SUCCESS',
      output: { ok: true },
    })
    const waited = (await stage.service.executions.activities(ana, executionId)).at(-1)
    expect(waited).toMatchObject({ kind: 'signal', name: 'go', output: { ok: true } })
    const again = await stage.service.executions.restart(ana, executionId, { sequence: waited?.sequence ?? 0 })
    expect(again).toMatchObject({ isNew: true, notice: null })
    expect(await refusalOf(stage.service.executions.restart(ana, executionId, { sequence: 0 }))).toEqual({
      '/sequence': 'out_of_range',
    })
    expect(await refusalOf(stage.service.executions.signal(ana, executionId, { name: 'go' }))).toBe(
      'PontualError execution.status_conflict',
    )
    const { items } = await stage.service.audit.list(ana, { limit: 10, executionId })
    expect(items.map(({ operation }) => operation)).toEqual(['JOBS_JOB_RESTART', 'JOBS_JOB_EXECUTE', 'JOBS_JOB_SIGNAL'])
  })
})

it('a signal that its job type does not declare is refused, and is not recorded', async () => {
  const signed = job('assinado', {
    durable: true,
    signals: { assinado: z.object({ by: z.string() }) },
    run: async (_input: unknown, ctx) => await ctx.signal('assinado'),
  })
  await using stage = await openStage({ jobs: [signed] })
  const { id } = await stage.test.app.enqueue(signed, {}, { tenant: ana.tenant })
  const send = (name: string, payload?: unknown) => stage.service.executions.signal(ana, id, { name, payload })
  await expect(send('asinado')).rejects.toMatchObject({ code: 'signal.unknown', details: { suggestion: 'assinado' } })
  await expect(send('assinado', { by: 1 })).rejects.toMatchObject({ code: 'payload.invalid' })
  expect((await stage.service.audit.list(ana, { limit: 10, executionId: id })).items).toEqual([])
  await send('assinado', { by: 'Rui' })
  await stage.test.settle()
  expect(await stage.service.executions.get(ana, id)).toMatchObject({ status: 'SUCCESS', output: { by: 'Rui' } })
})

describe('history and logs', () => {
  it('are read page by page, the newest first', async () => {
    const { id } = await create()
    const made: string[] = []
    for (let n = 0; n < 5; n += 1) made.unshift((await stage.service.jobs.execute(ana, id, {})).executionId)
    await stage.test.settle()
    const found: string[] = []
    let cursor: string | undefined
    do {
      const page = await stage.service.jobs.history(ana, id, { limit: 2, archived: false, cursor })
      found.push(...page.items.map((each) => each.id))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(found).toEqual(made)
    expect((await stage.service.executions.list(ana, { limit: 9, archived: false, status: ['FAILED'] })).items).toEqual(
      [],
    )
    expect(await refusalOf(stage.service.jobs.history(ana, id, { limit: 201, archived: false }))).toBe(
      'InvalidInputError option.invalid',
    )
  })

  it('from the 90th day on are archive', async () => {
    const { id } = await create({ cronExpression: '0 0 1 1 *' })
    await stage.service.jobs.execute(ana, id, {})
    await stage.test.settle()
    const count = async (archived: boolean) =>
      (await stage.service.jobs.history(ana, id, { limit: 9, archived })).items.length
    await stage.test.advance(90 * 86_400_000 - 1)
    expect(await count(false)).toBe(1)
    await stage.test.advance(1)
    expect(await count(false)).toBe(0)
    expect(await count(true)).toBe(1)
    expect((await stage.service.jobs.get(ana, id)).lastExecutions).toEqual([])
  })

  it('of a job are those of its last execution', async () => {
    const { id } = await create({ payload: { month: '01' } })
    expect(await stage.service.jobs.logs(ana, id, { limit: 9 })).toEqual({
      executionId: null,
      items: [],
      nextCursor: null,
    })
    await stage.service.jobs.execute(ana, id, {})
    const { executionId } = await stage.service.jobs.execute(ana, id, { payload: { month: '02' } })
    await stage.test.settle()
    const logs = await stage.service.jobs.logs(ana, id, { limit: 9 })
    expect(logs).toMatchObject({
      executionId,
      items: [{ level: 'info', message: 'imported', fields: { month: '02' } }],
    })
    const [line] = logs.items
    expect((await stage.service.jobs.logs(ana, id, { limit: 9, after: line?.sequence })).items).toEqual([])
    expect((await stage.service.jobs.logs(ana, id, { limit: 9, level: 'error' })).items).toEqual([])
  })

  it('can be followed until the execution ends', async () => {
    const { id } = await create()
    const { executionId } = await stage.service.jobs.execute(ana, id, {})
    const lines = await stage.service.executions.followLogs(ana, executionId, { signal: new AbortController().signal })
    await stage.test.settle()
    const messages: string[] = []
    for await (const { message } of lines) messages.push(message)
    expect(messages).toEqual(['imported'])
  })
})

it('the next executions are told while a job fires', async () => {
  const { id } = await create()
  const { nextExecution, upcoming } = await stage.service.jobs.nextExecution(ana, id)
  expect(nextExecution).toBe('2026-01-01T02:00:00.000Z')
  expect(upcoming).toHaveLength(10)
  await stage.service.jobs.pause(ana, id, { reason: 'moving', until: '2026-02-01T00:00:00Z' })
  expect(await stage.service.jobs.nextExecution(ana, id)).toMatchObject({ nextExecution: null, upcoming: [] })
  expect(await stage.service.jobs.get(ana, id)).toMatchObject({
    status: 'PAUSED',
    statusReason: 'moving',
    pausedUntil: '2026-02-01T00:00:00.000Z',
  })
  expect(await stage.service.jobs.resume(ana, id)).toMatchObject({
    status: 'ACTIVE',
    statusReason: null,
    pausedUntil: null,
  })
  expect(await refusalOf(stage.service.jobs.pause(ana, id, { reason: null, until: 'soon' }))).toEqual({
    '/until': 'format_invalid',
  })
})

it('a cron expression is explained in the language of the tenant, or the one asked for', async () => {
  const { jobs } = stage.service
  expect(await jobs.validateCron(ana, 'new', { cronExpression: '0 9 * * 1-5' })).toMatchObject({
    valid: true,
    description: 'Às 09:00, de segunda-feira a sexta-feira',
    upcoming: expect.arrayContaining(['2026-01-01T09:00:00.000Z']) as unknown,
  })
  const english = { cronExpression: '0 9 * * *', timeZone: 'America/Sao_Paulo', language: 'en' } as const
  expect(await jobs.validateCron(ana, 'new', english)).toMatchObject({
    description: 'At 09:00',
    upcoming: expect.arrayContaining(['2026-01-01T12:00:00.000Z']) as unknown,
  })
  expect(await jobs.validateCron(ana, 'new', { ...english, timeZone: 'Mars/X' })).toMatchObject({ valid: false })
})
