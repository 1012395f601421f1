import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  ana,
  bia,
  dev,
  fields,
  manager,
  openStage,
  refusalOf,
  type Stage,
  stranger,
} from '../../../../test/http/service/stage.ts'
import { StoreLink } from '../../../../test/suites/scenarios/store-link.ts'
import { job } from '../../../job/type/job-type.ts'
import { memory } from '../../../store/memory/memory.ts'
import type { Declared, NodeDeclaration } from '../../../store/nodes.ts'
import { builtInTypes } from '../../job-types/built-in.ts'

const month = z.strictObject({ month: z.string() })
const types = [
  job('export', { enqueueable: true, input: month, priority: 'LOW', run: ({ month: of }) => `exported ${of}` }),
  job('café', { enqueueable: true, run: () => null }),
  job('broken', {
    enqueueable: true,
    retry: { retries: 0 },
    run: () => {
      throw new Error('no such table')
    },
  }),
  job('endless', {
    enqueueable: true,
    run: (_input: unknown, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', reject)),
  }),
  job('order', { enqueueable: true, durable: true, run: async (_input: unknown, ctx) => await ctx.signal('go') }),
  job('closed', { run: () => null }),
  job('delete', { sensitive: true, run: () => null }),
  ...builtInTypes(
    () => {
      throw new Error('not run here')
    },
    { command: { programs: ['/bin/echo'] } },
  ),
]

let stage: Stage
beforeEach(async () => {
  stage = await openStage({ jobs: types, tenant: 'acme' })
})
afterEach(async () => await stage[Symbol.asyncDispose]())

const enqueue = (request: object, by = ana) => stage.service.jobs.enqueue(by, request)
const march = { jobType: 'export', payload: { month: '03' } }
const SENSITIVE = 'ForbiddenError job_type.sensitive'
const NOT_ENQUEUEABLE = 'ForbiddenError job_type.not_enqueueable'

describe('enqueue by job type', () => {
  it('runs an execution without a job, by the rules of its type', async () => {
    const { executionId, ...rest } = await enqueue(march, dev)
    expect(rest).toEqual({ isNew: true, notice: null })
    await stage.test.settle()
    const found = await stage.service.executions.get(ana, executionId)
    expect(found).toMatchObject({
      jobId: null,
      jobName: null,
      jobType: 'export',
      status: 'SUCCESS',
      origin: 'manual',
      executedBy: 'davi',
      priority: 'LOW',
      payload: { month: '03' },
      output: 'exported 03',
    })
    const { items } = await stage.service.executions.list(ana, { limit: 9, archived: false, jobType: 'export' })
    expect(items.map(({ id }) => id)).toEqual([executionId])
  })

  it('runs a durable type, which takes a signal and can be cancelled', async () => {
    const ids = [(await enqueue({ jobType: 'order' })).executionId, (await enqueue({ jobType: 'order' })).executionId]
    await stage.test.settle()
    await stage.service.executions.signal(ana, ids[0] ?? '', { name: 'go', payload: 1 })
    await stage.service.executions.cancel(bia, ids[1] ?? '', null)
    await stage.test.settle()
    const statuses = await Promise.all(ids.map(async (id) => (await stage.service.executions.get(ana, id)).status))
    expect(statuses).toEqual(['SUCCESS', 'CANCELLED'])
  })

  it('runs it later, with a priority', async () => {
    const { executionId } = await enqueue({ ...march, delayMs: 60_000, priority: 'HIGH' })
    await stage.test.settle()
    const read = async () => await stage.service.executions.get(ana, executionId)
    expect(await read()).toMatchObject({ status: 'QUEUED', priority: 'HIGH' })
    await stage.test.advance('1m')
    expect(await read()).toMatchObject({ status: 'SUCCESS' })
  })

  it('runs it once per key, and once per id of the request', async () => {
    const first = await enqueue({ ...march, idempotencyKey: 'k' })
    expect(await enqueue({ ...march, idempotencyKey: 'k' })).toEqual({ ...first, isNew: false })
    const other = { ...march, payload: { month: '04' }, idempotencyKey: 'k' }
    expect(await refusalOf(enqueue(other))).toBe('IdempotencyError idempotency.mismatch')
    const same = { ...march, id: '019b76da-a800-7fff-8000-000000000002' }
    expect((await enqueue(same)).executionId).toBe(same.id)
    expect((await enqueue(same)).executionId).toBe(same.id)
    await stage.test.settle()
    expect((await stage.service.executions.list(ana, { limit: 9, archived: false })).items).toHaveLength(2)
  })

  it('returns a notice if the tenant runs as many executions as its cap allows', async () => {
    await stage.service.administration.updateSettings(ana, { concurrency: 1 }, null)
    expect(await enqueue({ jobType: 'endless' })).toMatchObject({ notice: null })
    await stage.test.settle()
    expect(await enqueue({ jobType: 'endless' })).toMatchObject({ notice: 'maxWorkersExceeded' })
  })

  it('returns a notice if scheduling is suspended', async () => {
    await stage.service.administration.switchFlag(ana, 'JOBS_SCHEDULING', false, 'en')
    expect(await enqueue(march)).toMatchObject({ notice: 'suspended' })
  })

  it('counts towards the queue of the tenant', async () => {
    await using small = await openStage({ jobs: types, tenant: 'acme' }, { queuedPerTenant: 1 })
    const ask = () => small.service.jobs.enqueue(ana, { ...march, delayMs: 60_000 })
    await ask()
    expect(await refusalOf(ask())).toBe('QuotaError quota_exceeded')
  })

  it.each<[string, object, unknown]>([
    ['a missing payload', { jobType: 'export' }, { '/payload': 'payload_invalid' }],
    [
      'a payload that does not fit',
      { jobType: 'export', payload: { month: 1 } },
      { '/payload/month': 'payload_invalid' },
    ],
    ['a large payload', { jobType: 'café', payload: 'x'.repeat(262_144) }, { '/payload': 'payload_too_large' }],
    ['a priority of no kind', { ...march, priority: 'URGENT' }, { '/priority': 'format_invalid' }],
    ['a type that no node knows', { jobType: 'exprot' }, { '/jobType': 'job_type_unknown' }],
    ['an empty type', { jobType: '' }, { '/jobType': 'required' }],
    ['a job and a type', { jobName: 'x', jobType: 'export' }, { '/jobType': 'contradiction' }],
    ['all three', { jobId: 'x', jobName: 'x', jobType: 'export' }, { '/jobName': 'contradiction' }],
    ['a type that is not declared enqueueable', { jobType: 'closed' }, NOT_ENQUEUEABLE],
    ['a sensitive type', { jobType: 'delete' }, SENSITIVE],
    ['command.run', { jobType: 'command.run', payload: { program: '/bin/echo' } }, SENSITIVE],
    ['http.request', { jobType: 'http.request', payload: { url: 'https://example.com/' } }, NOT_ENQUEUEABLE],
    ['a type of Pontual', { jobType: 'pontual.archive' }, NOT_ENQUEUEABLE],
  ])('refuses %s', async (_, request, expected) => {
    expect(await refusalOf(enqueue(request))).toEqual(expected)
  })

  it('names the nearest type, and what may be named in its place', async () => {
    await expect(enqueue({ jobType: 'exprot' })).rejects.toMatchObject({
      problems: [{ message: 'There is no job type "exprot". Did you mean "export"?' }],
    })
    await expect(enqueue({})).rejects.toMatchObject({
      problems: [{ message: 'jobId is required, or jobName or jobType in its place.' }],
    })
    await expect(enqueue({ jobType: 'closed' })).rejects.toThrow(
      'Job type "closed" is not declared enqueueable: declare it with enqueueable: true, or name one of its jobs with jobId or jobName.',
    )
  })

  it('hides types of Pontual from other tenants', async () => {
    const asked = enqueue({ jobType: 'pontual.archive' }, stranger)
    expect(await refusalOf(asked)).toEqual({ '/jobType': 'job_type_unknown' })
  })

  it('needs jobs:execute', async () => {
    expect(await refusalOf(enqueue(march, manager))).toBe('ForbiddenError access.permission_missing')
  })
})

describe('a type that a sensitive job uses', () => {
  const sensitive = { jobType: 'café', requiresTwoStepExecution: true }

  it.each(['café', 'cafe\u0301'])(
    'is refused as %j, whatever the status of the job, until it is deleted',
    async (jobType) => {
      await enqueue({ jobType })
      const { id } = await stage.service.jobs.create(ana, fields(sensitive))
      expect(await refusalOf(enqueue({ jobType }))).toBe(SENSITIVE)
      await stage.service.jobs.approve(bia, id, { comment: null })
      expect(await refusalOf(enqueue({ jobType }))).toBe(SENSITIVE)
      await stage.service.jobs.pause(ana, id, { reason: null, until: null })
      expect(await refusalOf(enqueue({ jobType }))).toBe(SENSITIVE)
      await stage.service.jobs.remove(ana, id)
      expect(await enqueue({ jobType })).toMatchObject({ isNew: true })
    },
  )

  it('is refused in that tenant only', async () => {
    await stage.service.jobs.create(ana, fields(sensitive))
    expect(await enqueue({ jobType: 'café' }, stranger)).toMatchObject({ isNew: true })
  })

  it('is not refused for a job that is not sensitive', async () => {
    await stage.service.jobs.create(ana, fields({ jobType: 'café' }))
    expect(await enqueue({ jobType: 'café' })).toMatchObject({ isNew: true })
  })
})

describe('its end', () => {
  const entries = async () => (await stage.service.audit.list(ana, { limit: 9 })).items

  it('is recorded with the caller and the job type', async () => {
    const { executionId } = await enqueue(march, dev)
    await stage.test.settle()
    expect(await entries()).toMatchObject([
      {
        operation: 'JOBS_JOB_EXECUTE',
        userId: 'davi',
        jobId: null,
        executionId,
        newValues: { jobType: 'export', durationMs: 0 },
      },
    ])
  })

  it('is recorded and notified if it fails', async () => {
    const { executionId } = await enqueue({ jobType: 'broken' }, dev)
    await stage.test.settle()
    expect(await entries()).toMatchObject([
      {
        operation: 'JOBS_JOB_FAIL',
        userId: 'davi',
        jobId: null,
        newValues: { jobType: 'broken', errorMessage: 'no such table', retryCount: 0 },
      },
    ])
    const { items } = await stage.service.administration.notifications(ana, { limit: 9 })
    expect(items).toMatchObject([{ id: executionId, event: 'job.failed', facts: { jobId: null, executionId } }])
    expect((await stage.service.overview.alerts(ana, { limit: 9, kind: 'jobFailed' })).items).toEqual([])
  })
})

describe('a type that only other nodes have', () => {
  const far = { id: 'far', queue: 'slow', priority: 'HIGH', isDurable: true, retry: retryOf(7) } as const

  function retryOf(retries: number) {
    return { retries, intervalsMs: [1_000], jitter: 'none', nonRetryable: [] } as const
  }

  async function register(id: string, enqueueable: Declared['enqueueable'], on = stage): Promise<void> {
    const { store } = await on.test.app.opened()
    const node: Omit<NodeDeclaration, 'declares'> = { id, name: id, jobTypes: ['far'] }
    const declares = { tenant: 'other', jobs: [], ...(enqueueable && { enqueueable }) }
    await store.nodes.register({ ...node, slots: 1, queues: ['slow'], leaseMs: 60_000, declares })
  }

  const ONE = '019b76da-a800-7fff-8000-00000000000a'
  const OTHER = '019b76da-a800-7fff-8000-00000000000b'

  it('is enqueued although the answer about them was lost', async () => {
    const link = new StoreLink()
    await using linked = await openStage({ jobs: types, tenant: 'acme', store: link.to(memory()) })
    await register(ONE, [far], linked)
    link.loseAnswerOf('nodes.declarations')
    const enqueued = linked.service.jobs.enqueue(ana, { jobType: 'far' })
    await linked.test.advance('1s')
    expect(await enqueued).toMatchObject({ isNew: true })
  })

  it('is enqueued by the rules that they announce', async () => {
    await register(ONE, [far])
    const { executionId } = await enqueue({ jobType: 'far', payload: { any: 1 } })
    const { store } = await stage.test.app.opened()
    const [execution] = await store.executions.find([executionId])
    expect(execution).toMatchObject({
      queue: 'slow',
      priority: 'HIGH',
      maxAttempts: 8,
      options: { durable: true, requestedBy: 'ana' },
    })
    const { items } = await stage.service.jobs.types(ana)
    expect(items.find(({ id }) => id === 'far')).toMatchObject({ isKnown: true, isEnqueueable: true })
  })

  it.each<[string, Declared['enqueueable']]>([
    ['another version does not declare it', []],
    ['an older node announces nothing', undefined],
  ])('is refused while %s', async (_, enqueueable) => {
    await register(ONE, [far])
    await register(OTHER, enqueueable)
    expect(await refusalOf(enqueue({ jobType: 'far' }))).toBe(NOT_ENQUEUEABLE)
  })
})

it('a node announces the types that may be enqueued, with their rules', async () => {
  const { store } = await stage.test.app.opened()
  const [node] = await store.nodes.declarations()
  expect(node?.declares?.enqueueable?.map(({ id }) => id)).toEqual(['export', 'café', 'broken', 'endless', 'order'])
  expect(node?.declares?.enqueueable?.[2]).toMatchObject({ queue: 'default', isDurable: false, retry: { retries: 0 } })
})
