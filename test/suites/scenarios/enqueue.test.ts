import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { EnqueueOptions } from '../../../src/engine/app/enqueue-options.ts'
import { InvalidInputError } from '../../../src/errors.ts'
import { chain } from '../../../src/job/execution/chain.ts'
import { job } from '../../../src/job/type/job-type.ts'
import { pontual } from '../../../src/pontual.ts'
import { IdempotencyError } from '../../../src/store/idempotency.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import type { StoreSource } from '../../../src/store/store.ts'
import { StoreUnavailableError } from '../../../src/store/unavailable.ts'
import { testPontual } from '../../../src/testing.ts'
import { Processes } from './processes.ts'
import { RecordedEvents } from './recorded.ts'

const START = Date.UTC(2026, 0, 1)

/** A job type that remembers at which second it ran, and with what. */
function recorded(now: () => number) {
  const runs: [number, unknown][] = []
  const type = job<unknown>('work', {
    run: (input) => {
      runs.push([(now() - START) / 1_000, input])
    },
  })
  return { runs, type }
}

describe('enqueue', () => {
  it.each([
    ['now', {}, 0],
    ['after a delay', { delay: '90s' }, 90],
    ['after a delay of nothing', { delay: 0 }, 0],
    ['at an instant', { runAt: '2026-01-01T01:00:00Z' }, 3_600],
    ['at a date', { runAt: new Date(START + 5_000) }, 5],
    ['at once where the instant is a minute past', { runAt: START - 60_000 }, 0],
    ['in a century', { delay: '100 years' }, 3_153_600_000],
  ])('runs %s', async (_when, options, second) => {
    const { runs, type } = recorded(() => t.now())
    await using t = await testPontual({ jobs: [type], startAt: START })
    const { id, isNew } = await t.app.enqueue(type, 'x', options)
    expect(isNew).toBe(true)
    await t.settle()
    if (second > 0) {
      expect(await t.app.execution(id)).toMatchObject({ status: 'QUEUED', dueAt: START + second * 1_000 })
      await t.advance(second * 1_000 - 1)
      expect(runs).toEqual([])
      await t.advance(1)
    }
    expect(runs).toEqual([[second, 'x']])
  })

  it('keeps the order of what is due at once', async () => {
    const { runs, type } = recorded(() => t.now())
    await using t = await testPontual({ jobs: [type], startAt: START, node: { slots: 1 } })
    await Promise.all(['a', 'b', 'c', 'd'].map((input) => t.app.enqueue(type, input)))
    await t.settle()
    expect(runs.map(([, input]) => input)).toEqual(['a', 'b', 'c', 'd'])
  })

  it.each([
    ['both delay and runAt', { delay: '1s', runAt: START }, 'Enqueue takes either delay or runAt; got both.'],
    ['a misspelt option', { dealy: '1s' }, 'Enqueue options has no field "dealy"; '],
    ['a misspelt option, with a hint', { idempotencykey: 'x' }, 'Did you mean "idempotencyKey"?'],
    ['a negative delay', { delay: -1 }, 'delay must be a number of milliseconds'],
    ['a delay that is none', { delay: 'soon' }, 'delay must be'],
    ['an instant that is none', { runAt: 'tomorrow' }, 'runAt'],
    [
      'an instant that is past',
      { runAt: '2001-01-01T00:00:00Z' },
      'runAt must not be more than a minute in the past, got 2001-01-01T00:00:00.000Z; it is 2026-01-01T00:00:00.000Z now.',
    ],
    ['an instant that is past by more than a minute', { runAt: START - 60_001 }, 'runAt must not be more than'],
    ['a timeout of nothing', { timeout: 0 }, 'timeout must be longer than zero'],
    ['an empty key', { idempotencyKey: '' }, 'idempotencyKey must be text'],
    ['a tenant nobody can see', { tenant: '\u200b' }, 'tenant must be text'],
    ['a retry with an unknown option', { retry: { retires: 1 } }, 'Did you mean "retries"?'],
  ])('refuses %s', async (_what, options, message) => {
    await using t = await testPontual()
    await expect(t.app.enqueue('work', 'x', options as object)).rejects.toThrow(message)
    expect(await t.app.executions()).toEqual([])
  })

  it.each([
    ['a function', () => 1, 'payload.unstorable', 'Input of job type "work" is a function; '],
    [
      'a function within',
      { steps: [() => 1] },
      'payload.unstorable',
      'Input of job type "work": steps[0] is a function',
    ],
    ['an instance', { a: new Processes() }, 'payload.unstorable', 'a is an instance of Processes; '],
    ['more than 1 MiB', 'x'.repeat(1_048_576), 'payload.too_large', 'must be at most 1048576 bytes'],
  ])('refuses %s as an input', async (_what, input, code, message) => {
    await using t = await testPontual()
    await expect(t.app.enqueue('work', input)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message) as string,
    })
  })

  it.each<[string, object | null, string]>([
    ['null', null, 'Enqueue options must be an object, got null.'],
    ['null as a queue', { queue: null }, 'queue must be text of 1-255 visible characters'],
    ['null as a priority', { priority: null }, 'priority must be one of HIGH, MEDIUM, LOW, got null.'],
    ['null as a transaction', { transaction: null }, 'transaction must be left out'],
  ])('refuses %s, alone and in bulk', async (_what, options, message) => {
    await using t = await testPontual()
    const given = options as EnqueueOptions
    await expect(t.app.enqueue('work', 1, given)).rejects.toThrow(message)
    await expect(t.app.enqueueMany('work', [1], given)).rejects.toThrow(message)
    expect(await t.app.executions()).toEqual([])
  })

  it('takes no input only where the job type needs none, or others give it', async () => {
    const type = job('typed', { run: (input: { n: number }) => input.n })
    await using t = await testPontual()
    const { id } = await t.app.enqueue(type, { n: 1 })
    await t.app.enqueue(type, undefined, { after: id })
    // @ts-expect-error It has an input.
    await t.app.enqueue(type, undefined)
    // @ts-expect-error It has an input, also later.
    await t.app.enqueue(type, undefined, { delay: 5 })
    // @ts-expect-error Each has an input.
    await t.app.enqueueMany(type, [undefined])
    expect(await t.app.executions()).toHaveLength(5)
  })

  it('refuses an id of a job type that is none', async () => {
    await using t = await testPontual()
    await expect(t.app.enqueue(' work')).rejects.toThrow('Job type id must be text')
  })

  it('tells each new execution once', async () => {
    using events = new RecordedEvents()
    await using t = await testPontual()
    const { id } = await t.app.enqueue('work', 1, { tenant: 'acme', idempotencyKey: 'k' })
    await t.app.enqueue('work', 1, { tenant: 'acme', idempotencyKey: 'k' })
    expect(events.of('execution.queued')).toEqual([{ executionId: id, jobType: 'work', jobId: null, tenant: 'acme' }])
  })
})

describe('in bulk', () => {
  it('all inputs become executions, in order and in one statement', async () => {
    await using all = new Processes()
    const producer = all.process()
    const inputs = Array.from({ length: 5_000 }, (_, index) => index)
    const enqueued = await producer.app.enqueueMany('work', inputs, { delay: '1h', queue: 'bulk' })
    expect(enqueued).toHaveLength(5_000)
    expect(new Set(enqueued.map(({ id }) => id)).size).toBe(5_000)
    expect(enqueued.every(({ isNew }) => isNew)).toBe(true)
    expect(producer.link.asked.filter((verb) => verb === 'executions.enqueue')).toHaveLength(1)
    expect(await producer.execution(enqueued[4_321]?.id ?? '')).toMatchObject({ input: 4_321, queue: 'bulk' })
  })

  it('none is fine', async () => {
    await using t = await testPontual()
    expect(await t.app.enqueueMany('work', [])).toEqual([])
  })

  it('one that is wrong is the end of all', async () => {
    await using t = await testPontual()
    await expect(t.app.enqueueMany('work', [1, () => 2, 3])).rejects.toMatchObject({ code: 'payload.unstorable' })
    expect(await t.app.executions()).toEqual([])
  })

  it('one that does not fit its schema is named by its place', async () => {
    const type = job('work', { input: z.object({ n: z.number() }), run: ({ n }) => n })
    await using t = await testPontual()
    const inputs = [{ n: 1 }, { n: 'two' }] as { n: number }[]
    await expect(t.app.enqueueMany(type, inputs)).rejects.toThrow(/^inputs\[1\] of job type "work" is invalid: n: /)
    await expect(t.app.enqueueMany('work', [1, 2, Symbol('x')])).rejects.toThrow(
      /^inputs\[2\] of job type "work" is a symbol; plain data can be stored, /,
    )
    expect(await t.app.executions()).toEqual([])
  })

  it('a hole in the list is an input of nothing', async () => {
    const { runs, type } = recorded(() => t.now())
    await using t = await testPontual({ jobs: [type], startAt: START })
    const holed = [1]
    holed[2] = 3
    const enqueued = await t.app.enqueueMany(type, holed)
    await t.settle()
    expect(enqueued.map(({ isNew }) => isNew)).toEqual([true, true, true])
    expect(runs.map(([, input]) => input)).toEqual([1, undefined, 3])
  })

  it('one key for all is refused', async () => {
    await using t = await testPontual()
    await expect(t.app.enqueueMany('work', [1], { idempotencyKey: 'k' })).rejects.toThrow('takes no idempotencyKey')
  })

  it('what is asked for at once shares a few round trips', async () => {
    await using all = new Processes()
    const producer = all.process()
    await producer.app.executions()
    await Promise.all(Array.from({ length: 1_000 }, (_, index) => producer.app.enqueue('work', index)))
    expect(producer.link.asked.filter((verb) => verb === 'executions.enqueue').length).toBeLessThan(10)
  })
})

describe('an idempotency key', () => {
  it('used again gives the first execution, which runs once', async () => {
    const { runs, type } = recorded(() => t.now())
    await using t = await testPontual({ jobs: [type], startAt: START })
    const first = await t.app.enqueue(type, { a: 1 }, { idempotencyKey: 'k' })
    const second = await t.app.enqueue(type, { a: 1 }, { idempotencyKey: 'k' })
    await t.settle()
    const third = await t.app.enqueue(type, { a: 1 }, { idempotencyKey: 'k' })
    await t.settle()
    expect(first.isNew).toBe(true)
    expect([second, third]).toEqual([
      { id: first.id, isNew: false },
      { id: first.id, isNew: false },
    ])
    expect(runs).toHaveLength(1)
  })

  it('used by many at once makes one execution', async () => {
    await using t = await testPontual()
    const enqueued = await Promise.all(
      Array.from({ length: 50 }, () => t.app.enqueue('work', 'same', { idempotencyKey: 'k' })),
    )
    expect(new Set(enqueued.map(({ id }) => id)).size).toBe(1)
    expect(enqueued.filter(({ isNew }) => isNew)).toHaveLength(1)
  })

  it('does not care in which order fields stand', async () => {
    await using t = await testPontual()
    const { id } = await t.app.enqueue('work', { a: 1, b: { c: [1, 2], d: null } }, { idempotencyKey: 'k' })
    expect(await t.app.enqueue('work', { b: { d: null, c: [1, 2] }, a: 1 }, { idempotencyKey: 'k' })).toEqual({
      id,
      isNew: false,
    })
  })

  it.each([
    ['another value', { a: 2 }],
    ['another order in a list', { a: [2, 1] }],
    ['one field more', { a: 1, b: 1 }],
    ['nothing', undefined],
    ['null', null],
    ['a number as text', { a: '1' }],
  ])('used with another input is refused: %s', async (_what, input) => {
    await using t = await testPontual()
    const { id } = await t.app.enqueue('work', { a: 1 }, { idempotencyKey: 'k' })
    const again = t.app.enqueue('work', input, { idempotencyKey: 'k' })
    await expect(again).rejects.toThrow(IdempotencyError)
    await expect(again).rejects.toMatchObject({
      code: 'idempotency.mismatch',
      details: { key: 'k', jobType: 'work', executionId: id },
    })
    expect(await t.app.executions()).toHaveLength(1)
  })

  it('holds within its tenant and job type only', async () => {
    await using t = await testPontual()
    const ids = [
      await t.app.enqueue('work', 1, { idempotencyKey: 'k' }),
      await t.app.enqueue('work', 2, { idempotencyKey: 'k', tenant: 'acme' }),
      await t.app.enqueue('other', 3, { idempotencyKey: 'k' }),
      await t.app.enqueue('work', 4),
    ]
    expect(new Set(ids.map(({ id }) => id)).size).toBe(4)
    expect(ids.every(({ isNew }) => isNew)).toBe(true)
  })

  it('is free again once its execution is purged', async () => {
    const { type } = recorded(() => t.now())
    await using t = await testPontual({ jobs: [type] })
    const { id } = await t.app.enqueue(type, 1, { idempotencyKey: 'k' })
    await t.advance('2d')
    expect(await t.app.purgeExecutions('1d')).toBe(1)
    const again = await t.app.enqueue(type, 2, { idempotencyKey: 'k' })
    expect(again).toMatchObject({ isNew: true })
    expect(again.id).not.toBe(id)
  })
})

describe('a process that only asks for runs', () => {
  it('needs no start, and leaves nothing behind that would keep it from ending', async () => {
    await using all = new Processes()
    const producer = all.process()
    const { id } = await producer.app.enqueue('work', { a: 1 }, { delay: '30 days' })
    await producer.app.enqueue('work', { a: 2 })
    expect(await producer.execution(id)).toMatchObject({ status: 'QUEUED', input: { a: 1 } })
    expect(await producer.app.nodes()).toEqual([])
    await producer.app.stop()
    expect(producer.timers).toBe(0)
  })

  it('has its work done by others', async () => {
    await using all = new Processes()
    const work = job('work', { run: (name: string) => `did ${name}` })
    await all.node({ jobs: [work] })
    const producer = all.process()
    const { id } = await producer.app.enqueue(work, 'it')
    await all.settle()
    expect(await producer.execution(id)).toMatchObject({ status: 'SUCCESS', output: 'did it' })
  })

  it('runs nothing, also where it has handlers', async () => {
    await using all = new Processes()
    const work = job('work', { run: () => 'done' })
    const producer = all.process({ jobs: [work] })
    const { id } = await producer.app.enqueue(work)
    await all.pass('1m')
    expect(await producer.execution(id)).toMatchObject({ status: 'QUEUED' })
  })
})

/** A memory store that rejects a batch if it contains an execution of the job type "refused". */
function refusingStore(): StoreSource {
  const source = memory()
  return {
    ...source,
    open: async (surroundings) => {
      const store = await source.open(surroundings)
      return {
        ...store,
        executions: {
          ...store.executions,
          enqueue: (executions, options) => {
            const isRefused = executions.some(({ body }) => body.jobType === 'refused')
            if (isRefused) return Promise.reject(Object.assign(new RangeError('value too long'), { code: '22001' }))
            return store.executions.enqueue(executions, options)
          },
        },
      }
    },
  }
}

describe('a failed enqueue', () => {
  const work = job('work', { run: () => 'done' })
  const refused = job('refused', { run: () => 'done' })

  it('rejects with one error that names the job type, and calls of the same batch succeed', async () => {
    await using t = await testPontual({ store: refusingStore(), jobs: [work, refused] })
    const [before, failed, after] = await Promise.allSettled([
      t.app.enqueue(work),
      t.app.enqueue(refused),
      t.app.enqueue(work),
    ])
    expect([before?.status, failed?.status, after?.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    const reason: unknown = (failed as PromiseRejectedResult).reason
    expect(reason).toBeInstanceOf(RangeError)
    expect(reason).toMatchObject({
      message: 'Job type "refused" was not enqueued: value too long',
      code: '22001',
      cause: { message: 'value too long' },
    })
  })

  it('names the job type of each call if the store cannot be opened', async () => {
    const store: StoreSource = {
      ...memory(),
      open: () => Promise.reject(new StoreUnavailableError('store.unreachable', 'No server.')),
    }
    const app = pontual({ store, jobs: [work, refused], logger: 'silent', patience: 0 })
    const reasons = await Promise.allSettled([
      app.enqueue(work),
      app.enqueue(refused),
      app.enqueueMany(work, [undefined]),
    ])
    expect(reasons).toMatchObject(
      ['work', 'refused', 'work'].map((id) => ({
        reason: { code: 'store.unreachable', message: `Job type "${id}" was not enqueued: No server.` },
      })),
    )
    for (const each of reasons) expect((each as PromiseRejectedResult).reason).toBeInstanceOf(StoreUnavailableError)
    await app.stop()
  })

  it.each<[string, object]>([
    ['an option with a wrong value', { delay: 'soon' }],
    ['a misspelt option', { dealy: '1s' }],
    ['a priority that is none', { priority: 'URGENT' }],
  ])('names the job type when it refuses %s', async (_what, options) => {
    await using t = await testPontual({ jobs: [work] })
    for (const asked of [t.app.enqueue(work, undefined, options), t.app.enqueueMany(work, [undefined], options)]) {
      await expect(asked).rejects.toThrow('Job type "work" was not enqueued: ')
      await expect(asked).rejects.toBeInstanceOf(InvalidInputError)
    }
  })

  it('says once which job type the input is of', async () => {
    const typed = job('typed', { input: z.number(), run: () => 'done' })
    await using t = await testPontual({ jobs: [typed] })
    await expect(t.app.enqueue(typed, 'x' as never)).rejects.toThrow(/^Input of job type "typed" is invalid/)
  })

  it('names the job type of the first step of a chain', async () => {
    await using t = await testPontual({ store: refusingStore(), jobs: [work, refused] })
    const steps = chain(work).next(refused)
    await expect(t.app.enqueueChain(steps)).rejects.toThrow(/^Job type "work" was not enqueued: value too long$/)
    await t.app.stop()
    await expect(t.app.enqueueChain(steps)).rejects.toThrow(/^Job type "work" was not enqueued: /)
  })

  it('has an error that can be read, whatever a schema throws', async () => {
    const timedOut = {
      '~standard': {
        version: 1 as const,
        vendor: 'test',
        validate: () => {
          throw new DOMException('The operation timed out.', 'TimeoutError')
        },
      },
    }
    const checked = job('checked', { input: timedOut, run: () => 'done' })
    await using t = await testPontual({ jobs: [checked] })
    const reason: unknown = await t.app.enqueue(checked, 'x' as never).catch((error: unknown) => error)
    expect(reason).toMatchObject({
      name: 'TimeoutError',
      message: 'Job type "checked" was not enqueued: The operation timed out.',
    })
    expect(inspect(reason)).toContain('checked')
  })
})
