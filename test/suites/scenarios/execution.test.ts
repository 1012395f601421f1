import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { currentExecution } from '../../../src/engine/running/current-execution.ts'
import { NonRetryableError } from '../../../src/job/execution/failure.ts'
import { type JobContext, job } from '../../../src/job/type/job-type.ts'
import { InvalidPayloadError } from '../../../src/job/type/standard-schema.ts'
import { testPontual } from '../../../src/testing.ts'
import { Gate } from './gate.ts'
import { Processes } from './processes.ts'
import { RecordedLog } from './recorded.ts'

const NEVER_AGAIN = { retries: 0 }

/** Runs a handler once and gives back what is known of it afterwards. */
async function runOnce(run: (input: undefined, context: JobContext) => unknown) {
  const log = new RecordedLog()
  await using t = await testPontual({ logger: log.logger, jobs: [job('work', { retry: NEVER_AGAIN, run })] })
  const { id } = await t.app.enqueue('work')
  await t.settle()
  return { execution: await t.app.execution(id), log }
}

describe('typed input', () => {
  const seen: unknown[] = []
  const bill = job('bill', {
    input: z.object({ month: z.string().transform((text) => Number(text)), dryRun: z.boolean().default(false) }),
    run: (input) => {
      expectTypeOf(input).toEqualTypeOf<{ month: number; dryRun: boolean }>()
      seen.push(input)
      return input.month * 2
    },
  })

  it('reaches the handler as the schema gives it out, and is stored as it was handed in', async () => {
    await using t = await testPontual({ jobs: [bill] })
    const { id } = await t.app.enqueue(bill, { month: '7' })
    await t.settle()
    expect(seen).toEqual([{ month: 7, dryRun: false }])
    expect(await t.app.execution(id)).toMatchObject({ status: 'SUCCESS', input: { month: '7' }, output: 14 })
  })

  it('that does not fit is refused when a run is asked for', async () => {
    await using t = await testPontual({ jobs: [bill] })
    const wrong = t.app.enqueue(bill, { month: 7 } as unknown as { month: string })
    await expect(wrong).rejects.toThrow(InvalidPayloadError)
    await expect(wrong).rejects.toMatchObject({
      code: 'payload.invalid',
      message: expect.stringMatching(/^Input of job type "bill" is invalid: month: .*string/) as string,
      details: { issues: [{ path: 'month' }] },
    })
    await expect(t.app.enqueueMany(bill, [{ month: '1' }, {} as { month: string }])).rejects.toThrow('month')
    expect(await t.app.executions()).toEqual([])
  })

  it('that does not fit when it is to run fails without a retry', async () => {
    await using all = new Processes()
    // A process that does not know the job type cannot check.
    const { id } = await all.process().app.enqueue('bill', { month: null })
    const node = await all.node({ jobs: [bill] })
    await all.pass('10m')
    const execution = await node.execution(id)
    expect(execution).toMatchObject({ status: 'FAILED', attempt: 1, error: { code: 'payload.invalid' } })
    expect(execution.attempts).toHaveLength(1)
  })

  it('may be checked asynchronously', async () => {
    const slow = job('slow', {
      input: z.string().refine((text) => Promise.resolve(text !== 'bad'), 'is bad'),
      run: (input) => input.length,
    })
    await using t = await testPontual({ jobs: [slow] })
    await expect(t.app.enqueue(slow, 'bad')).rejects.toThrow('is bad')
    const { id } = await t.app.enqueue(slow, 'good')
    await t.settle()
    expect(await t.app.execution(id)).toMatchObject({ output: 4 })
  })

  it('may be left out where the job type takes none', async () => {
    let received: unknown = 'something'
    const plain = job('plain', {
      run: (input) => {
        received = input
      },
    })
    await using t = await testPontual({ jobs: [plain] })
    const { id } = await t.app.enqueue(plain)
    await t.settle()
    expect(received).toBeUndefined()
    expect(await t.app.execution(id)).toMatchObject({ status: 'SUCCESS', input: undefined, output: undefined })
  })
})

describe('the context', () => {
  it('tells a handler what it runs', async () => {
    let context: JobContext | undefined
    const work = job('work', {
      retry: { retries: 4 },
      run: (_input, given) => {
        context = given
      },
    })
    await using t = await testPontual({ jobs: [work] })
    const { id } = await t.app.enqueue(work, undefined, { tenant: 'acme', idempotencyKey: 'invoice-7' })
    await t.settle()
    expect(context).toMatchObject({
      executionId: id,
      jobType: 'work',
      jobId: null,
      tenant: 'acme',
      attempt: 1,
      maxAttempts: 5,
      scheduledAt: null,
      misfire: null,
      idempotencyKey: 'invoice-7',
    })
    expect(context?.signal.aborted).toBe(false)
  })

  it('has the same idempotency key in every attempt, the id where none was given', async () => {
    const keys: string[] = []
    const work = job('work', {
      run: (_input, { idempotencyKey }) => {
        keys.push(idempotencyKey)
        throw new Error('again')
      },
    })
    await using t = await testPontual({ jobs: [work] })
    const { id } = await t.app.enqueue(work)
    await t.advance('1h')
    expect(keys).toEqual([id, id, id, id])
  })

  it('is known however deep the handler has called', async () => {
    const deep: (string | undefined)[] = []
    const look = async (levels: number): Promise<void> => {
      await Promise.resolve()
      if (levels > 0) return await look(levels - 1)
      await new Promise((resolve) => setImmediate(resolve))
      deep.push(currentExecution()?.executionId)
    }
    const work = job('work', { run: () => look(5) })
    await using t = await testPontual({ jobs: [work] })
    const ids = (await t.app.enqueueMany(work, [undefined, undefined])).map(({ id }) => id)
    await t.settle()
    expect(deep.toSorted((a, b) => ((a ?? '') < (b ?? '') ? -1 : 1))).toEqual(ids)
  })

  it('is undefined outside of any handler', async () => {
    expect(currentExecution()).toBeUndefined()
    const { execution } = await runOnce(() => undefined)
    expect(execution?.status).toBe('SUCCESS')
    expect(currentExecution()).toBeUndefined()
  })

  it('of a handler is not taken for that of the run it asks for', async () => {
    const seen: (string | undefined)[] = []
    const record = new RecordedLog()
    const note = () => void seen.push(currentExecution()?.jobType)
    const logger = {
      ...record.logger,
      debug: (message: string) => (message === 'execution.claimed' ? note() : undefined),
    }
    const second = job('second', { run: () => undefined })
    const first = job('first', { run: () => t.app.enqueue(second) })
    await using t = await testPontual({ jobs: [first, second], logger })
    await t.app.enqueue(first)
    await t.settle()
    expect(seen).toEqual([undefined, undefined])
  })
})

describe('output', () => {
  it.each([
    ['nothing', undefined, undefined],
    ['null', null, null],
    ['a number', 42, 42],
    ['text with everything in it', 'a\0b\ud800c"\\\n😀', 'a\0b\ud800c"\\\n😀'],
    ['a tree', { a: [1, { b: null }] }, { a: [1, { b: null }] }],
    ['a date', new Date(0), new Date(0)],
    ['as much as fits', 'x'.repeat(1_048_574), 'x'.repeat(1_048_574)],
  ])('may be %s', async (_what, output, stored) => {
    const { execution } = await runOnce(() => output)
    expect(execution).toMatchObject({ status: 'SUCCESS', error: null })
    expect(execution?.output).toEqual(stored)
  })

  it('may be something that does not say what it is', async () => {
    const { execution } = await runOnce(() => trapped)
    expect(execution).toMatchObject({ status: 'SUCCESS', output: {} })
  })

  const circular: { self?: unknown } = {}
  circular.self = circular

  it.each([
    ['a function', () => 1, 'payload.unstorable'],
    ['a symbol', Symbol('x'), 'payload.unstorable'],
    ['something that holds itself', circular, 'payload.unstorable'],
    ['more than 1 MiB', 'x'.repeat(1_048_575), 'payload.too_large'],
    ['more than 1 MiB in bytes', '€'.repeat(400_000), 'payload.too_large'],
  ])('must not be %s', async (_what, output, code) => {
    const { execution } = await runOnce(() => output)
    expect(execution).toMatchObject({ status: 'FAILED', output: undefined, error: { code } })
    expect(execution?.error?.message).toMatch(/^Output of job type "work":? /)
  })
})

/** Cannot be looked at: not even what it is an instance of. */
function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

const trapped = new Proxy(
  {},
  {
    getPrototypeOf: () => {
      throw new Error('no prototype')
    },
  },
)

/** Throws anything, as plain JavaScript may. */
function raise(thrown: unknown): never {
  throw thrown as Error
}

class Unreadable extends Error {
  override get message(): string {
    throw new Error('no message')
  }
}

describe('what a handler throws is kept', () => {
  const circular = Object.create(null) as { self?: unknown }
  circular.self = circular

  it.each([
    ['an error', new TypeError('bad'), { name: 'TypeError', message: 'bad' }],
    ['an error with a code', Object.assign(new Error('no'), { code: 'ENOENT' }), { message: 'no', code: 'ENOENT' }],
    ['text', 'just text', { name: 'Error', message: 'just text' }],
    ['nothing', undefined, { message: 'undefined' }],
    ['null', null, { message: 'null' }],
    ['a number', 7, { message: '7' }],
    ['a symbol', Symbol('s'), { message: 'Symbol(s)' }],
    ['data', { reason: 'x' }, { message: '{"reason":"x"}' }],
    ['a big integer', 5n, { message: '5' }],
    ['NUL', new Error('a\0b'), { message: 'a␀b' }],
    ['half a character', new Error('a\ud800b'), { message: 'a\ufffdb' }],
    ['an error without a stack', Object.assign(new Error('x'), { stack: undefined }), { message: 'x' }],
    ['an error whose name is no text', Object.assign(new Error('x'), { name: Symbol('n') }), { message: 'x' }],
    ['data that hold themselves and have no prototype', circular, {}],
    ['an error whose message cannot be read', new Unreadable(), {}],
    ['a revoked proxy', revoked(), {}],
    ['something that does not say what it is', trapped, {}],
  ])('%s', async (_what, thrown, kept) => {
    const { execution } = await runOnce(() => raise(thrown))
    expect(execution).toMatchObject({ status: 'FAILED', error: kept })
    expect(execution?.attempts).toMatchObject([{ attempt: 1, status: 'FAILED', error: kept }])
  })

  it('and cut where it is huge', async () => {
    const { execution } = await runOnce(() => raise(new Error('x'.repeat(10_000_000))))
    expect(execution?.error?.message).toBe(`${'x'.repeat(4_000)}…`)
    expect(execution?.error?.stack?.length).toBeLessThan(8_100)
  })

  it('whatever the rules for retries look at', async () => {
    const strange = Object.assign(new Error('x'), { constructor: undefined })
    const work = job('work', { retry: { retries: 0, nonRetryable: ['X'] }, run: () => raise(strange) })
    await using t = await testPontual({ jobs: [work] })
    const { id } = await t.app.enqueue(work)
    await t.settle()
    expect(await t.app.execution(id)).toMatchObject({ status: 'FAILED', error: { message: 'x' } })
  })

  it('synchronously as well', async () => {
    const { execution } = await runOnce(() => {
      throw new NonRetryableError('at once')
    })
    expect(execution).toMatchObject({ status: 'FAILED', error: { name: 'NonRetryableError', message: 'at once' } })
  })
})

describe('an execution', () => {
  it('tells its attempts, when they were, and where', async () => {
    await using all = new Processes()
    const gate = new Gate()
    const work = job('work', { run: () => gate.opened })
    const node = await all.node({ jobs: [work] })
    const startAt = all.now()
    const { id } = await node.app.enqueue(work)
    await all.settle()
    const [{ id: nodeId } = { id: '' }] = await node.app.nodes()
    expect(await node.execution(id)).toMatchObject({ status: 'RUNNING', nodeId, startedAt: startAt, finishedAt: null })
    await all.pass('3s')
    gate.open()
    await all.settle()
    const ended = await node.execution(id)
    expect(ended).toMatchObject({ status: 'SUCCESS', startedAt: startAt, finishedAt: startAt + 3_000, attempt: 1 })
    expect(ended.attempts).toEqual([
      { attempt: 1, status: 'SUCCESS', nodeId, startedAt: startAt, endedAt: startAt + 3_000, error: null },
    ])
  })

  it('can be waited for', async () => {
    await using all = new Processes()
    const gate = new Gate()
    const work = job('work', { run: () => gate.opened.then(() => 'done') })
    const node = await all.node({ jobs: [work] })
    const { id } = await node.app.enqueue(work)
    const waiting = node.app.waitFor(id)
    await all.pass('10s')
    gate.open()
    expect(await all.until(waiting, '1s')).toMatchObject({ status: 'SUCCESS', output: 'done' })
    await expect(node.app.waitFor('00000000-0000-7000-8000-000000000000')).rejects.toThrow('There is no execution')
    await expect(node.app.waitFor('x')).rejects.toThrow('must be a UUID')
  })

  it('is no longer waited for once the signal says so', async () => {
    await using all = new Processes()
    const node = await all.node()
    const { id } = await node.app.enqueue('unknown')
    const controller = new AbortController()
    const waiting = node.app.waitFor(id, { signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(all.until(waiting, '1s')).rejects.toThrow('enough')
  })

  it('keeps no more at once than the node has slots', async () => {
    await using all = new Processes()
    const gates: Gate[] = []
    const work = job('work', {
      run: () => {
        const gate = new Gate()
        gates.push(gate)
        return gate.opened
      },
    })
    const node = await all.node({ jobs: [work], node: { slots: 3 } })
    await node.app.enqueueMany(
      work,
      Array.from({ length: 5 }, () => undefined),
    )
    await all.settle()
    expect(gates).toHaveLength(3)
    gates[0]?.open()
    await all.settle()
    expect(gates).toHaveLength(4)
    expect(await node.app.health()).toMatchObject({ slots: 3, running: 3 })
    for (const gate of gates) gate.open()
    await all.settle()
    for (const gate of gates) gate.open()
    await all.settle()
    expect(await node.app.executions({ statuses: ['SUCCESS'] })).toHaveLength(5)
  })
})
