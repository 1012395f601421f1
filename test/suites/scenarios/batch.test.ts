import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import type { ExecutionView } from '../../../src/engine/app/executions.ts'
import { currentExecution } from '../../../src/engine/running/current-execution.ts'
import { NonRetryableError } from '../../../src/job/execution/failure.ts'
import { type BatchContext, type BatchJobOptions, batchJob } from '../../../src/job/type/batch.ts'
import type { JobType } from '../../../src/job/type/job-type.ts'
import { type TestOptions, type TestPontual, testPontual } from '../../../src/testing.ts'
import { cron } from '../../../src/time/triggers/cron.ts'
import { aborted, Gate } from './gate.ts'
import { Processes } from './processes.ts'
import { listOf } from './recorded.ts'

type Work = (inputs: readonly number[], batch: BatchContext) => unknown

interface Call {
  readonly inputs: readonly number[]
  readonly batch: BatchContext
}

/** A job type that notes its calls; by default each output is ten times its input. */
function index(
  work: Work = (inputs) => inputs.map((input) => input * 10),
  options: Partial<BatchJobOptions<number, unknown>> = {},
) {
  const calls: Call[] = []
  const type = batchJob('index', {
    size: 3,
    retry: { retries: 0 },
    ...options,
    run: (inputs: readonly number[], batch) => {
      calls.push({ inputs, batch })
      return work(inputs, batch) as unknown[]
    },
  })
  return { type, calls, inputs: () => calls.map((call) => call.inputs) }
}

const STRAY = 'A handler ignores its signal and goes on, although its attempt is over'
const STRANDED = 'Handlers ignore their signals and still run'

/** A schema that takes its time with one input, until it is let go. */
function slowFor(slow: number) {
  const gate = new Gate()
  const schema = z.number().refine(async (input) => {
    if (input === slow) await gate.opened
    return true
  })
  return { gate, schema }
}

const SLOTS = { node: { slots: 20 } }

async function withAll(
  t: TestPontual,
  type: JobType<number>,
  inputs: readonly number[],
  options: Parameters<TestPontual['app']['enqueueMany']>[2] = {},
): Promise<ExecutionView[]> {
  const ids = (await t.app.enqueueMany(type, inputs, options)).map(({ id }) => id)
  await t.settle()
  return await all(t, ids)
}

async function all(t: TestPontual, ids: readonly string[]): Promise<ExecutionView[]> {
  const executions = await Promise.all(ids.map((id) => t.app.execution(id)))
  return executions.filter((execution) => execution !== null)
}

const start = (type: JobType<number>, options: TestOptions = {}) => testPontual({ jobs: [type], ...SLOTS, ...options })

describe('a call', () => {
  it.each<[number, number, number[][]]>([
    [1, 3, [[1]]],
    [2, 3, [[1, 2]]],
    [3, 3, [[1, 2, 3]]],
    [4, 3, [[1, 2, 3], [4]]],
    [7, 3, [[1, 2, 3], [4, 5, 6], [7]]],
    [3, 1, [[1], [2], [3]]],
  ])('of %i executions and at most %i has these inputs', async (count, size, expected) => {
    const { type, inputs } = index(undefined, { size })
    await using t = await start(type)
    const executions = await withAll(
      t,
      type,
      Array.from({ length: count }, (_, at) => at + 1),
    )
    expect(inputs()).toEqual(expected)
    expect(executions.map(({ status, output }) => [status, output])).toEqual(
      executions.map(({ input }) => ['SUCCESS', Number(input) * 10]),
    )
  })

  it('has at most as many as there are slots', async () => {
    const { type, inputs } = index(undefined, { size: 100 })
    await using t = await start(type, { node: { slots: 2 } })
    await withAll(t, type, [1, 2, 3, 4, 5])
    expect(inputs().every(({ length }) => length <= 2)).toBe(true)
    expect(inputs().flat()).toEqual([1, 2, 3, 4, 5])
  })

  it('is of one tenant', async () => {
    const { type, calls } = index()
    await using all = new Processes()
    const other = all.process({ jobs: [type] })
    for (const [input, tenant] of [['acme'], ['globex'], ['acme'], ['globex']].entries()) {
      await other.app.enqueue(type, input, { tenant: tenant[0] })
    }
    await all.node({ jobs: [type] })
    await all.settle()
    expect(new Map(calls.map(({ inputs, batch }) => [batch.tenant, inputs]))).toEqual(
      new Map([
        ['acme', [0, 2]],
        ['globex', [1, 3]],
      ]),
    )
    expect(calls).toHaveLength(2)
    expect(calls.every(({ batch }) => batch.contexts.every(({ tenant }) => tenant === batch.tenant))).toBe(true)
  })

  it('takes urgent and less urgent ones together, in the order of their claim', async () => {
    const { type, inputs } = index()
    await using all = new Processes()
    const other = all.process({ jobs: [type] })
    await other.app.enqueue(type, 1, { priority: 'LOW' })
    await other.app.enqueue(type, 2, { priority: 'HIGH' })
    await other.app.enqueue(type, 3)
    await all.node({ jobs: [type] })
    await all.settle()
    expect(inputs()).toEqual([[2, 3, 1]])
  })

  it('has the context of each execution, in the order of the inputs', async () => {
    const { type, calls } = index((inputs, { contexts }) => {
      for (const [at, { logger, progress }] of contexts.entries()) {
        logger.info('Indexing', { input: inputs[at] })
        progress(0.5, `half of ${inputs[at]}`)
      }
    })
    await using t = await start(type)
    const executions = await withAll(t, type, [1, 2])
    const contexts = calls[0]?.batch.contexts ?? []
    expect(contexts.map(({ executionId, attempt }) => [executionId, attempt])).toEqual(
      executions.map(({ id }) => [id, 1]),
    )
    expect(executions.map(({ progressNote }) => progressNote)).toEqual(['half of 1', 'half of 2'])
    const lines = await listOf(t.app.logs(executions[1]?.id ?? ''))
    expect(lines.map(({ fields }) => fields)).toEqual(['{"input":2}'])
  })

  it('is nobody in particular', async () => {
    const seen: unknown[] = []
    const { type } = index(
      async () => {
        seen.push(currentExecution())
        await Promise.resolve()
        seen.push(currentExecution())
      },
      { input: slowFor(0).schema },
    )
    await using t = await start(type)
    await withAll(t, type, [1, 2])
    expect(seen).toEqual([undefined, undefined])
  })

  it('takes late occurrences too', async () => {
    const gate = new Gate()
    const block = batchJob('block', { size: 1, run: () => gate.opened })
    const { type, calls } = index(undefined, {
      schedule: { trigger: cron('* * * * *'), input: 7, misfire: { policy: 'fireAll' } },
    })
    await using all = new Processes()
    const node = await all.node({ jobs: [block, type], node: { slots: 2 } })
    await node.app.enqueueMany(block, [undefined, undefined])
    await all.pass('3m')
    expect(calls).toEqual([])
    gate.open()
    await all.settle()
    expect(calls.flatMap(({ inputs }) => inputs)).toEqual([7, 7, 7])
    expect(await node.app.executions({ jobType: 'index', statuses: ['SUCCESS'] })).toHaveLength(3)
  })
})

describe('what it returns', () => {
  it('may be nothing', async () => {
    const { type } = index(() => undefined)
    await using t = await start(type)
    const executions = await withAll(t, type, [1, 2])
    expect(executions.map(({ status, output }) => [status, output])).toEqual([
      ['SUCCESS', undefined],
      ['SUCCESS', undefined],
    ])
  })

  it.each<[string, unknown, string]>([
    ['too few', [1, 2], 'each of its 3 inputs, in their order, or nothing; got 2.'],
    ['too many', [1, 2, 3, 4], 'got 4.'],
    ['none', [], 'got 0.'],
    ['no list', 'abc', 'got "abc".'],
    ['null', null, 'got null.'],
  ])('fails all where it is %s', async (_what, returned, message) => {
    const { type } = index(() => returned)
    await using t = await start(type)
    for (const execution of await withAll(t, type, [1, 2, 3])) {
      expect(execution).toMatchObject({
        status: 'FAILED',
        error: { code: 'batch.outputs_invalid', message: expect.stringContaining(message) as string },
      })
    }
  })

  it('fails the one in whose place there is an error', async () => {
    const { type } = index((inputs) => inputs.map((input) => (input === 2 ? new TypeError('not 2') : input)))
    await using t = await start(type)
    const [one, two, three] = await withAll(t, type, [1, 2, 3])
    expect([one, three]).toMatchObject([
      { status: 'SUCCESS', output: 1 },
      { status: 'SUCCESS', output: 3 },
    ])
    expect(two).toMatchObject({ status: 'FAILED', error: { name: 'TypeError', message: 'not 2' } })
  })

  it('may be promises, each for its own execution, also for one that is gone', async () => {
    const gate = new Gate()
    const unhandled: unknown[] = []
    const notice = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', notice)
    const { type } = index(async (inputs) => {
      await gate.opened
      return inputs.map(async (input) => (input < 3 ? await Promise.reject(new Error(`no ${input}`)) : input))
    })
    await using t = await start(type)
    const ids = (await t.app.enqueueMany(type, [1, 2, 3])).map(({ id }) => id)
    await t.settle()
    await t.app.cancel(ids[0]!)
    await t.settle()
    gate.open()
    await t.settle()
    // Node looks for what nobody has heard once it has done everything else.
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', notice)
    expect(unhandled).toEqual([])
    const ends = (await all(t, ids)).map(({ status, output, error }) => [status, output ?? error?.message])
    expect(ends.slice(1)).toEqual([
      ['FAILED', 'no 2'],
      ['SUCCESS', 3],
    ])
    expect(ends[0]?.[0]).toBe('CANCELLED')
  })

  it('fails the one whose output cannot be stored', async () => {
    const { type } = index((inputs) => inputs.map((input) => (input === 2 ? () => 2 : input)))
    await using t = await start(type)
    expect((await withAll(t, type, [1, 2, 3])).map(({ status }) => status)).toEqual(['SUCCESS', 'FAILED', 'SUCCESS'])
  })
})

describe('what it throws', () => {
  it.each<[string, Work]>([
    [
      'at once',
      () => {
        throw new Error('down')
      },
    ],
    ['later', () => Promise.reject(new Error('down'))],
  ])('%s fails all of them', async (_when, work) => {
    const { type, calls } = index(work)
    await using t = await start(type)
    for (const execution of await withAll(t, type, [1, 2, 3])) {
      expect(execution).toMatchObject({ status: 'FAILED', attempt: 1, error: { message: 'down' } })
    }
    expect(calls).toHaveLength(1)
  })

  it('is tried again by the rules of each', async () => {
    const { type, inputs } = index(
      () => {
        throw new Error('down')
      },
      { retry: { retries: 1, initial: '1m' } },
    )
    await using t = await start(type)
    const { id: once } = await t.app.enqueue(type, 1, { retry: { retries: 0 } })
    const { id: thrice } = await t.app.enqueue(type, 2, { retry: { retries: 2, intervals: ['10s', '10s'] } })
    const { id: twice } = await t.app.enqueue(type, 3)
    await t.advance('1h')
    expect((await all(t, [once, thrice, twice])).map(({ attempt }) => attempt)).toEqual([1, 3, 2])
    expect(
      inputs()
        .flat()
        .toSorted((a, b) => a - b),
    ).toEqual([1, 2, 2, 2, 3, 3])
  })
})

describe('a member', () => {
  it('is tried again alone', async () => {
    const { type, inputs } = index(
      (all, { contexts }) =>
        all.map((input, at) => (input === 2 && contexts[at]?.attempt === 1 ? new Error('no') : input)),
      { retry: { retries: 1 } },
    )
    await using t = await start(type)
    const executions = await withAll(t, type, [1, 2, 3])
    await t.advance('1m')
    expect(inputs()).toEqual([[1, 2, 3], [2]])
    expect(
      (
        await all(
          t,
          executions.map(({ id }) => id),
        )
      ).map(({ status, attempt }) => [status, attempt]),
    ).toEqual([
      ['SUCCESS', 1],
      ['SUCCESS', 2],
      ['SUCCESS', 1],
    ])
  })

  it('is not tried again where its error says so', async () => {
    const { type } = index((inputs) => inputs.map(() => new NonRetryableError('never')), { retry: { retries: 5 } })
    await using t = await start(type)
    const [execution] = await withAll(t, type, [1])
    expect(execution).toMatchObject({ status: 'FAILED', attempt: 1 })
  })

  it('whose input is invalid fails alone, before the call', async () => {
    const calls: unknown[] = []
    // Checked by a schema that the one who asks does not have.
    const type = batchJob('index', {
      size: 3,
      input: z.object({ id: z.number() }),
      run: (inputs) => {
        calls.push(inputs)
        return inputs.map(({ id }) => id)
      },
    })
    await using all = new Processes()
    const other = all.process()
    const ids: string[] = []
    for (const input of [{ id: 1 }, { id: 'two' }, { id: 3 }]) ids.push((await other.app.enqueue('index', input)).id)
    await all.node({ jobs: [type] })
    await all.settle()
    const [one, two, three] = await Promise.all(ids.map((id) => other.execution(id)))
    expect(calls).toEqual([[{ id: 1 }, { id: 3 }]])
    expect([one, three]).toMatchObject([{ output: 1 }, { output: 3 }])
    expect(two).toMatchObject({ status: 'FAILED', attempt: 1, error: { code: 'payload.invalid' } })
  })

  it('that is cancelled in the middle has its own result refused, and the others go on', async () => {
    const gate = new Gate()
    const { type, calls } = index(async (inputs) => {
      await gate.opened
      return inputs
    })
    await using all = new Processes()
    const node = await all.node({ jobs: [type] })
    const [one, two] = await node.app.enqueueMany(type, [1, 2])
    await all.settle()
    expect(await node.app.cancel(one?.id ?? '')).toBe('cancelled')
    await all.pass('10s')
    const { contexts, signal } = calls[0]?.batch ?? { contexts: [] }
    expect(contexts.map((context) => context.signal.aborted)).toEqual([true, false])
    expect(signal?.aborted).toBe(false)
    gate.open()
    await all.settle()
    expect(await node.execution(one?.id ?? '')).toMatchObject({ status: 'CANCELLED' })
    expect(await node.execution(two?.id ?? '')).toMatchObject({ status: 'SUCCESS', output: 2 })
    expect(node.log.of(STRAY)).toEqual([])
  })

  it('that is the last to be cancelled ends the call', async () => {
    const { type, calls } = index((_inputs, { signal }) => aborted(signal))
    await using all = new Processes()
    const node = await all.node({ jobs: [type] })
    const both = await node.app.enqueueMany(type, [1, 2])
    await all.settle()
    for (const { id } of both) await node.app.cancel(id)
    await all.pass('10s')
    expect(calls[0]?.batch.signal).toMatchObject({ aborted: true, reason: { code: 'execution.gone' } })
    for (const { id } of both) expect(await node.execution(id)).toMatchObject({ status: 'CANCELLED' })
  })

  it('that ends before the call is made does not hold it up', async () => {
    const { gate, schema } = slowFor(2)
    const { type, inputs } = index(undefined, { input: schema })
    await using all = new Processes()
    const other = all.process()
    const ids: string[] = []
    for (const input of [1, 2, 3]) ids.push((await other.app.enqueue('index', input)).id)
    const node = await all.node({ jobs: [type] })
    await all.settle()
    expect(inputs()).toEqual([])
    await node.app.cancel(ids[1] ?? '')
    await all.pass('10s')
    expect(inputs()).toEqual([[1, 3]])
    gate.open()
    await all.pass('10s')
    expect(inputs()).toEqual([[1, 3]])
    // Its schema had gone on; the handler it came to let it end.
    expect(node.log.of('A handler that had ignored its signal has ended')).toHaveLength(1)
    const statuses = await Promise.all(ids.map(async (id) => (await node.execution(id)).status))
    expect(statuses).toEqual(['SUCCESS', 'CANCELLED', 'SUCCESS'])
  })

  it.each<[string, number[], number[][]]>([
    ['is not in the call', [1, 2, 3], [[2, 3]]],
    ['was the only one to wait is not in the call', [1, 2], [[2]]],
  ])('that was cancelled while it waited for others and %s', async (_what, given, expected) => {
    const { gate, schema } = slowFor(2)
    const { type, inputs } = index(undefined, { input: schema })
    await using all = new Processes()
    const other = all.process()
    const ids: string[] = []
    for (const input of given) ids.push((await other.app.enqueue('index', input)).id)
    const node = await all.node({ jobs: [type] })
    await node.app.cancel(ids[0] ?? '')
    await all.pass('10s')
    gate.open()
    await all.pass('10s')
    expect(inputs()).toEqual(expected)
    expect(await node.execution(ids[0] ?? '')).toMatchObject({ status: 'CANCELLED' })
    expect(node.log.of(STRAY)).toEqual([])
  })

  it('whose result is kept is answered without being in the call', async () => {
    const { type, inputs } = index(undefined, { cache: '1h' })
    await using t = await start(type)
    const [first] = await withAll(t, type, [2])
    const executions = await withAll(t, type, [1, 2, 3])
    expect(inputs()).toEqual([[2], [1, 3]])
    expect(executions.map(({ output, cachedFrom }) => [output, cachedFrom])).toEqual([
      [10, null],
      [20, first?.id],
      [30, null],
    ])
    await withAll(t, type, [3, 2, 1])
    expect(inputs()).toHaveLength(2)
  })
})

describe('the end', () => {
  it('comes to all at once at the timeout', async () => {
    const { type, calls } = index((_inputs, { signal }) => aborted(signal), { timeout: '5s' })
    await using all = new Processes()
    const node = await all.node({ jobs: [type] })
    const both = await node.app.enqueueMany(type, [1, 2])
    await all.pass('4s')
    expect(calls[0]?.batch.signal.aborted).toBe(false)
    await all.pass('1s')
    expect(calls[0]?.batch.signal).toMatchObject({ aborted: true, reason: { code: 'execution.timeout' } })
    for (const { id } of both) expect(await node.execution(id)).toMatchObject({ status: 'TIMEOUT' })
  })

  it('of one with a shorter timeout leaves the others', async () => {
    const gate = new Gate()
    const { type, calls } = index((inputs) => gate.opened.then(() => inputs))
    await using all = new Processes()
    const other = all.process({ jobs: [type] })
    const { id: short } = await other.app.enqueue(type, 1, { timeout: '5s' })
    const { id: long } = await other.app.enqueue(type, 2)
    const node = await all.node({ jobs: [type] })
    await all.pass('10s')
    gate.open()
    await all.settle()
    expect(calls).toHaveLength(1)
    expect(await node.execution(short)).toMatchObject({ status: 'TIMEOUT' })
    expect(await node.execution(long)).toMatchObject({ status: 'SUCCESS', output: 2 })
  })

  it('at shutdown hands all of them back, no attempt spent', async () => {
    const { type, calls } = index((inputs, { signal }) => (calls.length === 1 ? aborted(signal) : inputs))
    await using all = new Processes()
    const node = await all.node({ jobs: [type], shutdownGrace: '5s' })
    const both = await node.app.enqueueMany(type, [1, 2])
    await all.settle()
    await all.until(node.app.stop(), '10s')
    expect(calls[0]?.batch.signal).toMatchObject({ aborted: true, reason: { code: 'node.stopping' } })
    const other = await all.node({ jobs: [type] })
    await all.settle()
    for (const { id } of both) {
      expect(await other.execution(id)).toMatchObject({ status: 'SUCCESS', attempt: 1, epoch: 2 })
    }
    expect(calls).toHaveLength(2)
  })

  it('at shutdown stays leased if it ignores its signal, which is logged once', async () => {
    const gate = new Gate()
    const { type } = index(() => gate.opened)
    await using all = new Processes()
    const node = await all.node({ jobs: [type], shutdownGrace: '5s' })
    const both = await node.app.enqueueMany(type, [1, 2, 3])
    await all.settle()
    await all.until(node.app.stop(), '10s')
    await all.pass('10s')
    const other = all.process()
    for (const { id } of both) expect(await other.execution(id)).toMatchObject({ status: 'RUNNING', attempt: 1 })
    expect(node.log.of(STRANDED)).toMatchObject([{ fields: { executions: both.map(({ id }) => id) } }])
    gate.open()
  })

  it('at shutdown begins no call that waits for a member', async () => {
    const { gate, schema } = slowFor(2)
    const { type, calls } = index(undefined, { input: schema })
    await using all = new Processes()
    const other = all.process()
    const ids: string[] = []
    for (const input of [1, 2]) ids.push((await other.app.enqueue('index', input)).id)
    const node = await all.node({ jobs: [type], shutdownGrace: '5s' })
    const stopping = node.app.stop()
    await all.pass('5s')
    gate.open()
    await all.until(stopping, '5s')
    await all.pass('5s')
    expect(calls).toEqual([])
    expect(node.log.of(STRAY)).toEqual([])
    for (const id of ids) expect(await other.execution(id)).toMatchObject({ status: 'QUEUED', attempt: 0 })
  })

  it('at shutdown keeps what is returned in time', async () => {
    const { type } = index((inputs, { signal }) => aborted(signal).catch(() => inputs))
    await using all = new Processes()
    const node = await all.node({ jobs: [type], shutdownGrace: '1s' })
    const both = await node.app.enqueueMany(type, [1, 2])
    await all.settle()
    await all.until(node.app.stop(), '5s')
    for (const { id } of both) expect(await all.process().execution(id)).toMatchObject({ status: 'SUCCESS' })
  })

  it('of a node that is lost: another one does the work, and the late results are refused', async () => {
    const gate = new Gate()
    const { type, calls } = index(
      (inputs, { contexts }) => {
        const [first] = contexts
        return first?.attempt === 1 ? gate.opened.then(() => inputs.map(() => 'late')) : inputs
      },
      { retry: { retries: 1 } },
    )
    await using all = new Processes()
    const dead = await all.node({ jobs: [type], node: { name: 'dead' } })
    const both = await dead.app.enqueueMany(type, [1, 2])
    await all.settle()
    dead.freeze()
    const alive = await all.node({ jobs: [type], node: { name: 'alive' } })
    await all.pass('40s')
    dead.thaw()
    gate.open()
    await all.pass('10s')
    expect(calls.map(({ inputs }) => inputs)).toEqual([
      [1, 2],
      [1, 2],
    ])
    expect(calls[0]?.batch.signal.aborted).toBe(true)
    for (const [at, { id }] of both.entries()) {
      expect(await alive.execution(id)).toMatchObject({ status: 'SUCCESS', output: at + 1, attempt: 2 })
    }
  })
})

it('the types of input and output are those of one execution', () => {
  const type = batchJob('typed', {
    size: 10,
    input: z.object({ n: z.string().transform(Number) }),
    run: (inputs) => inputs.map(({ n }) => (n > 1 ? n : new Error('too small'))),
  })
  expectTypeOf(type).toExtend<JobType<{ n: number }, number, { n: string }>>()
  expect(type.id).toBe('typed')
})
