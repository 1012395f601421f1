import { describe, expect, it } from 'vitest'
import type { Execution, ExecutionBody } from '../../../src/job/execution/execution.ts'
import type { ExecutionFilter } from '../../../src/store/executions.ts'
import { type Bench, failure, HOUR, MINUTE, success } from './bench.ts'

const ABSENT = '00000000-0000-7000-8000-000000000000'

/** An execution nobody has touched yet. */
function untouched(body: ExecutionBody, dueAt: number | null = null): Execution {
  return {
    ...body,
    status: 'QUEUED',
    number: null,
    after: [],
    attempt: 0,
    epoch: 0,
    dueAt,
    startedAt: null,
    finishedAt: null,
    nodeId: null,
    output: null,
    cachedFrom: null,
    error: null,
    divergence: null,
    progress: null,
    progressNote: null,
    attempts: [],
  }
}

export function describeExecutions(bench: Bench): void {
  describe('enqueue', () => {
    it('a new execution is found as it was written', async () => {
      const job = bench.job()
      await bench.put(job)
      const { body } = bench.execution({
        jobId: job.id,
        origin: 'retry',
        priority: 'HIGH',
        queue: 'payments',
        payload: '{"month":"current"}',
        scheduledAt: bench.now - 1,
        maxAttempts: 1,
        idempotencyKey: 'invoice-7',
        options: { timeoutMs: 5, retryOf: ABSENT, traceparent: '00-1-2-01' },
      })
      expect(await bench.store.executions.enqueue([{ body, runAt: null }])).toEqual([
        { id: body.id, isNew: true, payload: null },
      ])
      expect(await bench.find(body.id)).toEqual(untouched(body))
    })

    const times: [string, { runAt?: number | null; delayMs?: number }, number | null][] = [
      ['no time: now', {}, null],
      ['an instant that is past: now', { runAt: -1 }, null],
      ['this instant: now', { runAt: 0 }, null],
      ['a millisecond from now: then', { runAt: 1 }, 1],
      ['a year from now: then', { runAt: 365 * 24 * HOUR }, 365 * 24 * HOUR],
      ['no delay: now', { delayMs: 0 }, null],
      ['a delay: counted by the clock of the store', { delayMs: 1_500 }, 1_500],
      ['an instant and a delay: the instant rules', { runAt: 7, delayMs: 1_500 }, 7],
    ]
    it.each(times)('%s', async (_case, { runAt, delayMs }, expected) => {
      const { body } = bench.execution({ createdAt: bench.now - HOUR })
      const at = runAt == null ? null : bench.now + runAt
      await bench.store.executions.enqueue([{ body, runAt: at, delayMs }])
      expect(await bench.find(body.id)).toEqual(untouched(body, expected === null ? null : bench.now + expected))
      expect(await bench.claim(await bench.node())).toHaveLength(expected === null ? 1 : 0)
    })

    it('one whose id exists already is left alone', async () => {
      const { executions } = bench.store
      const execution = bench.execution({ payload: '1' })
      await executions.enqueue([execution])
      const again = { body: { ...execution.body, payload: '2', priority: 'HIGH' as const }, runAt: bench.now + HOUR }
      expect((await executions.enqueue([again]))[0]?.id).toBe(execution.body.id)
      expect(await bench.find(execution.body.id)).toEqual(untouched(execution.body))
      expect(await bench.claim(await bench.node())).toHaveLength(1)
      expect(await bench.claim(await bench.node())).toEqual([])
      await executions.enqueue([execution])
      expect(await bench.claim(await bench.node())).toEqual([])
    })

    it('one whose id exists already, and has ended, is left alone', async () => {
      const { nodeId: _, ...held } = await bench.running({ payload: '1' })
      await bench.store.leases.finish([success(held, { output: '"done"' })])
      const before = await bench.find(held.executionId)
      await bench.store.executions.enqueue([{ body: held.body, runAt: null }])
      expect(await bench.find(held.executionId)).toEqual(before)
      expect((await bench.store.pulse()).hasReady).toBe(false)
    })

    it('one that is given twice in one call is stored once', async () => {
      const execution = bench.execution({ idempotencyKey: 'twice' })
      const answers = await bench.store.executions.enqueue([execution, execution])
      expect(answers.map(({ id }) => id)).toEqual([execution.body.id, execution.body.id])
      expect(await bench.claim(await bench.node())).toHaveLength(1)
    })

    it('a call whose answer was lost can be made again, with a key as well', async () => {
      const execution = bench.execution({ idempotencyKey: 'invoice-7', payload: '7' })
      const [first] = await bench.store.executions.enqueue([execution])
      const [second] = await bench.store.executions.enqueue([execution])
      expect([first?.id, second?.id]).toEqual([execution.body.id, execution.body.id])
      expect(await bench.store.executions.list({ limit: 9 })).toHaveLength(1)
    })

    it('one whose key is taken is not stored: the answer names who has it, and what he carries', async () => {
      const { executions } = bench.store
      const holder = bench.execution({ idempotencyKey: 'invoice-7', payload: '{"a":1}' })
      const late = bench.execution({ idempotencyKey: 'invoice-7', payload: '{"b":2}' })
      await executions.enqueue([holder])
      expect(await executions.enqueue([late])).toEqual([{ id: holder.body.id, isNew: false, payload: '{"a":1}' }])
      expect(await executions.find([late.body.id])).toEqual([])
      expect(await bench.claim(await bench.node())).toHaveLength(1)
    })

    const scopes: [string, Partial<ExecutionBody>, boolean][] = [
      ['the same tenant and job type', {}, false],
      ['another queue', { queue: 'payments' }, false],
      ['another priority', { priority: 'LOW' }, false],
      ['another tenant', { tenant: 'other' }, true],
      ['another job type', { jobType: 'export' }, true],
      ['another key', { idempotencyKey: 'Invoice-7' }, true],
      ['no key', { idempotencyKey: null }, true],
    ]
    it.each(scopes)('a key meets %s', async (_case, change, isNew) => {
      const { executions } = bench.store
      await executions.enqueue([bench.execution({ idempotencyKey: 'invoice-7' })])
      expect((await executions.enqueue([bench.execution({ idempotencyKey: 'invoice-7', ...change })]))[0]?.isNew).toBe(
        isNew,
      )
    })

    it('of two with one key in one call, the first has it', async () => {
      const [a, b] = [bench.execution({ idempotencyKey: 'k', payload: '1' }), bench.execution({ idempotencyKey: 'k' })]
      const answers = await bench.store.executions.enqueue([a, b])
      expect(answers).toEqual([
        { id: a.body.id, isNew: true, payload: null },
        { id: a.body.id, isNew: false, payload: '1' },
      ])
      expect(await bench.store.executions.find([b.body.id])).toEqual([])
    })

    it('of several with one key at once, one has it', async () => {
      const contenders = Array.from({ length: 8 }, () => bench.execution({ idempotencyKey: 'contested' }))
      const answers = (await Promise.all(contenders.map((each) => bench.store.executions.enqueue([each])))).flat()
      expect(answers.filter(({ isNew }) => isNew)).toHaveLength(1)
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
      expect(await bench.store.executions.list({ limit: 99 })).toHaveLength(1)
    })

    it('a key stays taken after the end', async () => {
      const held = await bench.running({ idempotencyKey: 'k' })
      await bench.store.leases.finish([success(held)])
      const [answer] = await bench.store.executions.enqueue([bench.execution({ idempotencyKey: 'k' })])
      expect(answer).toMatchObject({ id: held.executionId, isNew: false })
    })

    it('payloads with types and plain ones are kept to the letter, side by side and with a key', async () => {
      const { executions, leases } = bench.store
      const texts = [
        '{"a":1}',
        'T{"at":{"$":"Date","v":"1970-01-01T00:00:00.000Z"}}',
        '"T{}"',
        'T{"$":"BigInt","v":"1"}',
        null,
      ]
      const alone = texts.map((payload) => bench.execution({ payload }))
      const keyed = texts.map((payload, index) => bench.execution({ payload, idempotencyKey: `typed ${index}` }))
      await executions.enqueue([...alone, ...keyed])
      const again = await executions.enqueue(keyed.map(({ body }) => bench.execution({ ...body, id: bench.uuid() })))
      expect(again.map(({ isNew, payload }) => [isNew, payload])).toEqual(texts.map((payload) => [false, payload]))
      const claimed = await bench.claim(await bench.node(), { limit: 20 })
      const expected = new Map([...alone, ...keyed].map(({ body }) => [body.id, body.payload]))
      expect(new Map(claimed.map(({ executionId, body }) => [executionId, body.payload]))).toEqual(expected)
      await leases.finish(claimed.map((each) => success(each, { output: each.body.payload })))
      const found = await executions.find([...expected.keys()])
      expect(new Map(found.map(({ id, output }) => [id, output]))).toEqual(expected)
    })

    it('answers in the order of the executions', async () => {
      const [a, b, c, d] = [
        bench.execution(),
        bench.execution({ idempotencyKey: 'k' }),
        bench.execution({ runAt: bench.now + 1 }),
        bench.execution({ idempotencyKey: 'k' }),
      ]
      const answers = await bench.store.executions.enqueue([d, c, b, a])
      expect(answers.map(({ id, isNew }) => [id, isNew])).toEqual([
        [d.body.id, true],
        [c.body.id, true],
        [d.body.id, false],
        [a.body.id, true],
      ])
    })

    it('takes three thousand at once, as claim, find and finish do', async () => {
      const executions = Array.from({ length: 3_000 }, (_, index) =>
        bench.execution({ payload: String(index), idempotencyKey: index % 2 ? `k${index}` : null }),
      )
      const ids = executions.map(({ body }) => body.id)
      const answers = await bench.store.executions.enqueue(executions)
      expect(answers.map(({ id }) => id)).toEqual(ids)
      const claimed = await bench.claim(await bench.node(), { limit: 3_000 })
      expect(new Map(claimed.map(({ executionId, body }) => [executionId, body.payload]))).toEqual(
        new Map(executions.map(({ body }) => [body.id, body.payload])),
      )
      const accepted = await bench.store.leases.finish(
        claimed.map((each) => success(each, { output: each.body.payload })),
      )
      expect(new Set(accepted)).toEqual(new Set(ids))
      const found = await bench.store.executions.find(ids)
      expect(found).toHaveLength(3_000)
      expect(found.every(({ status, output, payload }) => status === 'SUCCESS' && output === payload)).toBe(true)
    })
  })

  describe('find', () => {
    it('leaves unknown ids out', async () => {
      const id = await bench.enqueue()
      expect((await bench.store.executions.find([ABSENT, id])).map((each) => each.id)).toEqual([id])
    })

    it('tells of a running one who runs it since when', async () => {
      const { body, nodeId, executionId } = await bench.running()
      const startedAt = bench.now
      bench.advance(5)
      expect(await bench.find(executionId)).toEqual({
        ...untouched(body),
        status: 'RUNNING',
        attempt: 1,
        epoch: 1,
        startedAt,
        nodeId,
        attempts: [{ attempt: 1, status: 'RUNNING', nodeId, startedAt, endedAt: null, error: null }],
      })
    })

    it('tells of an ended one all of its attempts, the first one first', async () => {
      const first = await bench.running()
      const startedAt = bench.now
      bench.advance(10)
      await bench.store.leases.retry([{ ...first, status: 'TIMEOUT', error: failure, delayMs: 1_000 }])
      const failedAt = bench.now
      bench.advance(1_000)
      await bench.store.leases.promote(9)
      const second = await bench.claimOne(first.nodeId)
      bench.advance(20)
      await bench.store.leases.finish([success(second, { output: '[1]' })])
      expect(await bench.find(first.executionId)).toEqual({
        ...untouched(first.body),
        status: 'SUCCESS',
        attempt: 2,
        epoch: 2,
        startedAt: failedAt + 1_000,
        finishedAt: bench.now,
        nodeId: first.nodeId,
        output: '[1]',
        attempts: [
          { attempt: 1, status: 'TIMEOUT', nodeId: first.nodeId, startedAt, endedAt: failedAt, error: failure },
          {
            attempt: 2,
            status: 'SUCCESS',
            nodeId: first.nodeId,
            startedAt: failedAt + 1_000,
            endedAt: bench.now,
            error: null,
          },
        ],
      })
    })
  })

  describe('list', () => {
    async function fill(): Promise<
      Record<'queued' | 'delayed' | 'running' | 'success' | 'cancelled' | 'ofJob', string>
    > {
      const job = bench.job({ id: JOB_ID })
      await bench.put(job)
      await bench.enqueue({ jobType: 'export' })
      const node = await bench.node()
      const [done] = await bench.claim(node, { jobTypes: ['export'] })
      await bench.store.leases.finish([success(done!)])
      const running = await bench.enqueue({ tenant: 'other' })
      await bench.claimOne(node)
      const queued = await bench.enqueue()
      const delayed = await bench.enqueue({ runAt: bench.now + 1 })
      const ofJob = await bench.enqueue({ jobId: JOB_ID, tenant: 'other' })
      const cancelled = await bench.enqueue()
      await bench.store.executions.cancel([{ id: cancelled, reason: null }])
      return { queued, delayed, running, success: done!.executionId, cancelled, ofJob }
    }
    const JOB_ID = '01999999-0000-7000-8000-000000000001'

    const filters: [string, Omit<ExecutionFilter, 'limit'>, string[]][] = [
      ['all, the newest first', {}, ['cancelled', 'ofJob', 'delayed', 'queued', 'running', 'success']],
      ['those of a tenant', { tenant: 'other' }, ['ofJob', 'running']],
      ['those of a job', { jobId: JOB_ID }, ['ofJob']],
      ['those of a job type', { jobType: 'export' }, ['success']],
      ['queued ones, delayed or ready', { statuses: ['QUEUED'] }, ['ofJob', 'delayed', 'queued']],
      ['running ones', { statuses: ['RUNNING'] }, ['running']],
      ['cancelled ones', { statuses: ['CANCELLED'] }, ['cancelled']],
      ['those in one of several statuses', { statuses: ['SUCCESS', 'CANCELLED', 'FAILED'] }, ['cancelled', 'success']],
      ['none in a status that nothing has', { statuses: ['WAITING', 'DIVERGED', 'TIMEOUT', 'FAILED'] }, []],
      ['those that fit all that is asked', { tenant: 'other', statuses: ['QUEUED'], jobType: 'import' }, ['ofJob']],
    ]
    it.each(filters)('gives %s', async (_case, filter, expected) => {
      const ids = await fill()
      const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]))
      const listed = await bench.store.executions.list({ limit: 99, ...filter })
      expect(listed.map(({ id }) => names.get(id))).toEqual(expected)
      expect(listed).toEqual((await bench.store.executions.find(listed.map(({ id }) => id))).sort(newestFirst))
    })

    it.each([{}, { tenant: 'acme' }, { statuses: ['QUEUED'] as const }, { jobType: 'import' }])(
      'goes on towards older ones: %j',
      async (filter) => {
        const ids: string[] = []
        for (let index = 0; index < 7; index++) {
          ids.unshift(await bench.enqueue({ runAt: index % 2 ? bench.now + HOUR : null }))
        }
        const pages: string[][] = []
        for (let before: string | undefined; pages.length < 4; before = pages.at(-1)?.at(-1)) {
          pages.push((await bench.store.executions.list({ ...filter, limit: 3, before })).map(({ id }) => id))
        }
        expect(pages).toEqual([ids.slice(0, 3), ids.slice(3, 6), ids.slice(6), []])
      },
    )
  })

  describe('cancel', () => {
    const states: [string, () => Promise<string>, Partial<Execution>][] = [
      ['ready', () => bench.enqueue(), { attempt: 0, startedAt: null }],
      ['delayed', () => bench.enqueue({ runAt: bench.now + HOUR }), { attempt: 0, startedAt: null }],
      ['running', async () => (await bench.running()).executionId, { attempt: 1 }],
      [
        'waiting for a retry',
        async () => {
          const held = await bench.running()
          await bench.store.leases.retry([{ ...held, status: 'FAILED', error: failure, delayMs: HOUR }])
          return held.executionId
        },
        { attempt: 1 },
      ],
      [
        'given back',
        async () => {
          const held = await bench.running()
          await bench.store.leases.release([held])
          return held.executionId
        },
        { attempt: 0 },
      ],
    ]
    it.each(states)('ends one that is %s', async (_state, make, expected) => {
      const id = await make()
      bench.advance(3)
      expect(await bench.store.executions.cancel([{ id, reason: 'Not needed.' }])).toEqual(['cancelled'])
      const found = await bench.find(id)
      expect(found).toMatchObject({
        status: 'CANCELLED',
        finishedAt: bench.now,
        dueAt: null,
        output: null,
        ...expected,
      })
      expect(found.error?.message).toBe('Not needed.')
      bench.advance(2 * HOUR)
      await bench.store.leases.promote(9)
      expect(await bench.claim(await bench.node())).toEqual([])
      expect(await bench.store.executions.count()).toEqual({ QUEUED: 0, WAITING: 0, RUNNING: 0, DIVERGED: 0 })
      expect(await bench.find(id)).toEqual(found)
    })

    it('a running one ends with the attempt that ran', async () => {
      const held = await bench.running()
      const startedAt = bench.now
      bench.advance(3)
      await bench.store.executions.cancel([{ id: held.executionId, reason: 'Not needed.' }])
      const { attempts, nodeId } = await bench.find(held.executionId)
      expect(nodeId).toBe(held.nodeId)
      expect(attempts).toMatchObject([
        { attempt: 1, status: 'CANCELLED', nodeId: held.nodeId, startedAt, endedAt: bench.now },
      ])
    })

    it('nobody can record anything about it from then on', async () => {
      const held = await bench.running()
      await bench.store.executions.cancel([{ id: held.executionId, reason: null }])
      const before = await bench.find(held.executionId)
      const { leases, logs } = bench.store
      expect(await leases.finish([success(held)])).toEqual([])
      expect(await leases.retry([{ ...held, status: 'FAILED', error: failure, delayMs: 0 }])).toEqual([])
      expect(await leases.release([held])).toEqual([])
      expect(await leases.progress([{ ...held, fraction: 1, note: null }])).toEqual([])
      const line = {
        ...held,
        sequence: 1,
        attempt: 1,
        at: bench.now,
        level: 'info',
        message: 'x',
        fields: null,
      } as const
      expect(await logs.append([line])).toEqual([held.executionId])
      expect(await leases.held(held.nodeId)).toEqual([])
      expect(await bench.find(held.executionId)).toEqual(before)
    })

    it.each(['SUCCESS', 'FAILED', 'TIMEOUT', 'CANCELLED'] as const)('%s is final', async (status) => {
      const held = await bench.running()
      await bench.store.leases.finish([success(held, { status, output: '1' })])
      const before = await bench.find(held.executionId)
      bench.advance(1)
      expect(await bench.store.executions.cancel([{ id: held.executionId, reason: 'late' }])).toEqual(['final'])
      expect(await bench.find(held.executionId)).toEqual(before)
    })

    it('answers in the order of the ids', async () => {
      const { executions } = bench.store
      const [a, b] = [await bench.enqueue(), await bench.enqueue()]
      expect(await executions.cancel([{ id: a, reason: null }])).toEqual(['cancelled'])
      const requests = [ABSENT, b, a].map((id) => ({ id, reason: null }))
      expect(await executions.cancel(requests)).toEqual(['unknown', 'cancelled', 'final'])
    })
  })

  describe('purge', () => {
    it('removes what ended before an instant, and not what ended at it', async () => {
      const { executions, leases, logs } = bench.store
      const old = await bench.running({ idempotencyKey: 'k' })
      const line = {
        ...old,
        sequence: 1,
        attempt: 1,
        at: bench.now,
        level: 'info',
        message: 'x',
        fields: null,
      } as const
      await logs.append([line])
      await leases.finish([success(old)])
      bench.advance(1)
      const young = await bench.running()
      await leases.finish([success(young)])
      expect(await executions.purge(bench.now - 1, 9)).toBe(0)
      expect(await executions.purge(bench.now, 9)).toBe(1)
      expect((await executions.list({ limit: 9 })).map(({ id }) => id)).toEqual([young.executionId])
      expect(await executions.find([old.executionId])).toEqual([])
      expect(await logs.read({ executionId: old.executionId, limit: 9 })).toEqual([])
      expect((await executions.enqueue([bench.execution({ idempotencyKey: 'k' })]))[0]).toMatchObject({ isNew: true })
    })

    it('leaves alone what has not ended, however old', async () => {
      await bench.enqueue()
      await bench.running()
      await bench.enqueue({ runAt: bench.now + HOUR })
      bench.advance(24 * HOUR)
      expect(await bench.store.executions.purge(bench.now, 99)).toBe(0)
      expect(await bench.store.executions.list({ limit: 9 })).toHaveLength(3)
    })

    it('removes at most so many', async () => {
      const ids = await Promise.all([1, 2, 3].map(() => bench.enqueue()))
      await bench.store.executions.cancel(ids.map((id) => ({ id, reason: null })))
      bench.advance(MINUTE)
      expect(await bench.store.executions.purge(bench.now, 2)).toBe(2)
      expect(await bench.store.executions.purge(bench.now, 2)).toBe(1)
      expect(await bench.store.executions.purge(bench.now, 2)).toBe(0)
    })
  })

  it('count tells how many there are by status, without those that ended', async () => {
    const held = await bench.running()
    await bench.running()
    await bench.store.leases.finish([success(held)])
    await bench.enqueue({ runAt: bench.now + HOUR })
    await bench.enqueue({ queue: 'payments' })
    await bench.enqueue({ jobType: 'unknown' })
    expect(await bench.store.executions.count()).toEqual({ QUEUED: 3, WAITING: 0, RUNNING: 1, DIVERGED: 0 })
  })

  it('empty lists are answered with empty lists', async () => {
    const { executions } = bench.store
    expect(await executions.enqueue([])).toEqual([])
    expect(await executions.find([])).toEqual([])
    expect(await executions.cancel([])).toEqual([])
    expect(await executions.purge(bench.now, 0)).toBe(0)
    expect(await executions.list({ limit: 0 })).toEqual([])
  })
}

function newestFirst(a: Execution, b: Execution): number {
  return a.id < b.id ? 1 : -1
}
