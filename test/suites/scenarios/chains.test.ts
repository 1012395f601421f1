import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { chain } from '../../../src/job/execution/chain.ts'
import { type JobContext, job } from '../../../src/job/type/job-type.ts'
import type { Pontual } from '../../../src/pontual.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import { type TestPontual, testPontual } from '../../../src/testing.ts'
import { Processes } from './processes.ts'

const ABSENT = '00000000-0000-7000-8000-000000000000'

/** A job type that gives back its name, and remembers what it was given. */
function step(id: string, calls: [string, unknown][] = []) {
  return job<unknown>(id, {
    run: (input) => {
      calls.push([id, input])
      return id.toUpperCase()
    },
  })
}

function failing(id: string, retries = 0) {
  return job<unknown>(id, {
    retry: { retries, initial: '1m' },
    run: () => {
      throw new TypeError('No such page.')
    },
  })
}

async function statusOf(app: Pontual, id: string): Promise<string | undefined> {
  return (await app.execution(id))?.status
}

/** Everything there is, by job type. */
async function statuses({ app }: TestPontual): Promise<Record<string, string>> {
  const all = await app.executions({ limit: 1_000 })
  return Object.fromEntries(all.map(({ jobType, status }) => [jobType, status]))
}

describe('a chain', () => {
  it('fans out and in: each step gets what those before it returned', async () => {
    const calls: [string, unknown][] = []
    const [extract, resize, index, publish] = ['extract', 'resize', 'index', 'publish'].map((id) => step(id, calls))
    await using t = await testPontual({ jobs: [extract!, resize!, index!, publish!] })
    const steps = await t.app.enqueueChain(chain(extract!, { page: 1 }).next(resize!, index!).next(publish!))
    expect(steps.map(({ jobType, isNew }) => [jobType, isNew])).toEqual([
      ['extract', true],
      ['resize', true],
      ['index', true],
      ['publish', true],
    ])
    await t.settle()
    expect(calls).toEqual([
      ['extract', { page: 1 }],
      ['resize', 'EXTRACT'],
      ['index', 'EXTRACT'],
      ['publish', ['RESIZE', 'INDEX']],
    ])
    const last = await t.app.execution(steps.at(-1)!.id)
    expect(last).toMatchObject({
      status: 'SUCCESS',
      input: undefined,
      after: steps.slice(1, 3).map(({ id }) => ({ id, on: 'success' })),
    })
  })

  it('is seen as a whole from each of its executions, while it waits and after', async () => {
    const types = ['extract', 'resize', 'index'].map((id) => step(id))
    const [extract, resize, index] = types
    await using t = await testPontual()
    const steps = await t.app.enqueueChain(chain(extract!).next(resize!).next(index!).onFailure('alert'))
    expect(await t.app.counts()).toEqual({ QUEUED: 1, WAITING: 3, RUNNING: 0, DIVERGED: 0 })
    expect(await t.app.executions({ statuses: ['WAITING'] })).toHaveLength(3)
    const [a, b, c, d] = steps.map(({ id }) => id)
    const seen = await t.app.chain(c!)
    expect(seen).toEqual({
      executions: [
        { id: a, jobType: 'extract', status: 'QUEUED' },
        { id: b, jobType: 'resize', status: 'WAITING' },
        { id: c, jobType: 'index', status: 'WAITING' },
        { id: d, jobType: 'alert', status: 'WAITING' },
      ],
      links: [
        { from: a, to: b, on: 'success' },
        { from: b, to: c, on: 'success' },
        { from: c, to: d, on: 'failure' },
      ],
    })
    expect(await t.app.chain(a!)).toEqual(seen)
    expect(await t.app.chain(ABSENT)).toBeNull()
    await expect(t.app.chain('x')).rejects.toThrow('Execution id must be a UUID')
  })

  it('takes its branch for failures only after the last try, and leaves the rest out', async () => {
    const calls: [string, unknown][] = []
    const [extract, publish, alert, clean] = [
      failing('extract', 2),
      step('publish', calls),
      step('alert', calls),
      step('clean', calls),
    ]
    await using t = await testPontual({ jobs: [extract, publish, alert, clean] })
    const [first] = await t.app.enqueueChain(chain(extract, 1).onFailure(alert).next(publish).always(clean))
    await t.advance('1m')
    expect(calls).toEqual([])
    expect(await statuses(t)).toMatchObject({ alert: 'WAITING', publish: 'WAITING', clean: 'WAITING' })
    await t.advance('2m')
    expect(await statuses(t)).toEqual({ extract: 'FAILED', publish: 'CANCELLED', alert: 'SUCCESS', clean: 'SUCCESS' })
    const error = { name: 'TypeError', message: 'No such page.' }
    expect(calls).toMatchObject([
      ['alert', { executionId: first!.id, jobType: 'extract', status: 'FAILED', error }],
      ['clean', { jobType: 'publish', status: 'CANCELLED', error: { code: 'execution.not_needed' } }],
    ])
  })

  it('goes on after a timeout as after a failure', async () => {
    const slow = job('slow', { timeout: '1s', retry: { retries: 0 }, run: () => new Promise(() => {}) })
    const alert = step('alert')
    await using t = await testPontual({ jobs: [slow, alert] })
    await t.app.enqueueChain(chain(slow).onFailure(alert))
    await t.app.enqueue(alert, 'unrelated')
    const waiting = t.app.executions({ statuses: ['WAITING'] })
    expect(await waiting).toHaveLength(1)
    await t.advance('1s')
    expect(await t.app.executions({ jobType: 'alert', statuses: ['SUCCESS'] })).toMatchObject([
      { input: 'unrelated' },
      { after: [{ on: 'failure' }] },
    ])
  })

  it('ends with a cancellation, all the way down', async () => {
    const types = ['a', 'b', 'c', 'd'].map((id) => step(id))
    const [a, b, c, d] = types
    await using t = await testPontual({ jobs: types })
    const held = await t.app.enqueue('elsewhere')
    const steps = await t.app.enqueueChain(chain(a!).next(b!).next(c!).always(d!), { after: held })
    expect(await t.app.cancel(held.id)).toBe('cancelled')
    await t.settle()
    expect(await statuses(t)).toEqual({
      elsewhere: 'CANCELLED',
      a: 'CANCELLED',
      b: 'CANCELLED',
      c: 'CANCELLED',
      d: 'SUCCESS',
    })
    expect((await t.app.execution(steps[1]!.id))?.error).toMatchObject({
      code: 'execution.not_needed',
      message: `Execution "${steps[0]!.id}" ended as CANCELLED; this one was to run after its success.`,
    })
  })

  it('that waits is cancelled from where it is cancelled', async () => {
    await using t = await testPontual()
    const [a, b, c] = await t.app.enqueueChain(chain('a').next('b').next('c'))
    expect(await t.app.cancel(b!.id, 'No.')).toBe('cancelled')
    expect(await Promise.all([a, b, c].map((each) => statusOf(t.app, each!.id)))).toEqual([
      'QUEUED',
      'CANCELLED',
      'CANCELLED',
    ])
  })

  it('goes on where it was in another process after a restart', async () => {
    const store = memory()
    const calls: [string, unknown][] = []
    const types = ['a', 'b', 'c'].map((id) => step(id, calls))
    const [a, b, c] = types
    const first = await testPontual({ store, jobs: [a!, c!] })
    const steps = await first.app.enqueueChain(chain(a!, 1).next(b!).next(c!))
    await first.settle()
    expect(calls).toEqual([['a', 1]])
    await first.stop()
    await using second = await testPontual({ store, jobs: types })
    await second.settle()
    expect(calls).toEqual([
      ['a', 1],
      ['b', 'A'],
      ['c', 'B'],
    ])
    expect(await statusOf(second.app, steps.at(-1)!.id)).toBe('SUCCESS')
  })

  it('goes on after a node that is lost for good', async () => {
    await using all = new Processes()
    const hung = job('hung', { retry: { retries: 0 }, run: () => new Promise(() => {}) })
    const calls: [string, unknown][] = []
    const [alert, publish] = [step('alert', calls), step('publish', calls)]
    const dead = await all.node({ jobs: [hung] })
    const [, alerted, published] = await dead.app.enqueueChain(chain(hung).onFailure(alert).next(publish))
    await all.settle()
    const alive = await all.node({ jobs: [alert, publish] })
    dead.freeze()
    await all.pass('35s')
    expect(calls).toMatchObject([['alert', { jobType: 'hung', error: { code: 'execution.node_lost' } }]])
    expect(await alive.execution(alerted!.id)).toMatchObject({ status: 'SUCCESS' })
    expect(await alive.execution(published!.id)).toMatchObject({ status: 'CANCELLED' })
  })

  it('of steps with keys is the same one the second time', async () => {
    await using t = await testPontual()
    const steps = (page: number) =>
      chain('extract', page, { idempotencyKey: 'extract' }).next({ type: 'publish', idempotencyKey: 'publish' })
    const once = await t.app.enqueueChain(steps(1))
    const twice = await t.app.enqueueChain(steps(1))
    expect(twice).toEqual(once.map((each) => ({ ...each, isNew: false })))
    await expect(t.app.enqueueChain(steps(2))).rejects.toThrow('was used before with another input')
  })

  it('with a key that was used with another input is refused, and nothing of it is stored', async () => {
    const calls: [string, unknown][] = []
    const [a, b, c] = [step('a', calls), step('b', calls), step('c', calls)]
    await using t = await testPontual({ jobs: [a, b, c] })
    const { id } = await t.app.enqueue(b, 1, { idempotencyKey: 'k' })
    await t.settle()
    const steps = chain(a).next({ type: b, input: 2, idempotencyKey: 'k' }).next(c)
    await expect(t.app.enqueueChain(steps)).rejects.toMatchObject({
      code: 'idempotency.mismatch',
      details: { key: 'k', jobType: 'b', executionId: id },
    })
    await t.settle()
    expect(calls).toEqual([['b', 1]])
    expect(await t.app.executions()).toHaveLength(1)
  })

  it('takes an input and options for each step', async () => {
    const calls: [string, unknown][] = []
    const [a, b] = [step('a', calls), step('b', calls)]
    await using t = await testPontual({ jobs: [a, b] })
    const next = { type: b, input: { own: true }, priority: 'HIGH', timeout: '5s', retry: { retries: 1 } } as const
    const [, second] = await t.app.enqueueChain(chain(a, 1).next(next), { tenant: 'acme' })
    await t.settle()
    expect(calls).toEqual([
      ['a', 1],
      ['b', { own: true }],
    ])
    expect(await t.app.execution(second!.id)).toMatchObject({
      tenant: 'acme',
      priority: 'HIGH',
      maxAttempts: 2,
      options: { timeoutMs: 5_000 },
    })
  })

  it('is a value: a common beginning may go on in two ways', async () => {
    await using t = await testPontual()
    const beginning = chain('a')
    await t.app.enqueueChain(beginning.next('b'))
    await t.app.enqueueChain(beginning.next('c'))
    expect((await t.app.executions()).map(({ jobType }) => jobType)).toEqual(['c', 'a', 'b', 'a'])
  })

  it.each<[string, () => unknown, string]>([
    ['no step', () => chain('a').next(), 'at least one step'],
    ['what is no job type', () => chain('a').next(7 as never), 'A step of a chain must be what job(…) gives'],
    ['a misspelt option', () => chain('a').next({ type: 'b', prioritty: 'HIGH' } as never), 'Did you mean "priority"?'],
    ['a misspelt option of the first', () => chain('a', 1, { quee: 'x' } as never), 'Did you mean "queue"?'],
  ])('refuses %s', (_what, build, message) => {
    expect(build).toThrow(message)
  })

  it('that is none is refused, and nothing is stored of one with a wrong step', async () => {
    const strict = job('strict', { input: z.object({ page: z.number() }), run: () => 1 })
    await using t = await testPontual({ jobs: [strict] })
    await expect(t.app.enqueueChain({} as never)).rejects.toThrow('chain must be what chain(…) gives')
    const steps = chain('a').next({ type: strict, input: { page: 'one' } as never })
    await expect(t.app.enqueueChain(steps)).rejects.toThrow('Input of job type "strict"')
    expect(await t.app.executions()).toEqual([])
  })
})

describe('an execution after others', () => {
  it('is given what they returned, and told about each', async () => {
    const contexts: JobContext[] = []
    const calls: unknown[] = []
    const last = job<unknown>('last', {
      run: (input, context) => {
        calls.push(input)
        contexts.push(context)
      },
    })
    const nothing = job('nothing', { run: () => {} })
    const [good, bad] = [step('good'), failing('bad')]
    await using t = await testPontual({ jobs: [last, good, bad, nothing] })
    const ids = [await t.app.enqueue(good), await t.app.enqueue(bad), await t.app.enqueue(nothing)]
    await t.app.enqueue(last, undefined, { after: ids.map(({ id }) => ({ id, on: 'end' })) })
    await t.settle()
    expect(calls).toEqual([['GOOD', null, null]])
    expect(contexts[0]?.predecessors).toMatchObject([
      { executionId: ids[0]!.id, jobType: 'good', status: 'SUCCESS', output: 'GOOD', error: null },
      {
        executionId: ids[1]!.id,
        jobType: 'bad',
        status: 'FAILED',
        output: undefined,
        error: { message: 'No such page.' },
      },
      { executionId: ids[2]!.id, jobType: 'nothing', status: 'SUCCESS', output: undefined, error: null },
    ])
  })

  it('has its input checked when it runs, as what others return is not known before', async () => {
    const strict = job('strict', { input: z.string().min(5), retry: { retries: 5 }, run: (text) => text.length })
    const [long, short] = [job('long', { run: () => 'long enough' }), job('short', { run: () => 'no' })]
    await using t = await testPontual({ jobs: [strict, long, short] })
    const fits = await t.app.enqueue(strict, undefined, { after: await t.app.enqueue(long) })
    const fails = await t.app.enqueue(strict, undefined, { after: await t.app.enqueue(short) })
    await expect(t.app.enqueue(strict, 'no', { after: fits })).rejects.toThrow('Input of job type "strict"')
    await t.settle()
    expect(await t.app.execution(fits.id)).toMatchObject({ status: 'SUCCESS', output: 11 })
    expect(await t.app.execution(fails.id)).toMatchObject({ status: 'FAILED', attempt: 1 })
  })

  it('keeps what it is given in every attempt', async () => {
    const inputs: unknown[] = []
    const last = job<unknown>('last', {
      retry: { retries: 1, initial: '1m' },
      run: (input, { attempt }) => {
        inputs.push(input)
        if (attempt === 1) throw new Error('Again.')
      },
    })
    const first = step('first')
    await using t = await testPontual({ jobs: [first, last] })
    const { id } = await t.app.enqueue(last, undefined, { after: (await t.app.enqueue(first)).id })
    await t.settle()
    expect(await t.app.purgeExecutions(0)).toBe(0)
    await t.advance('1m')
    expect(inputs).toEqual(['FIRST', 'FIRST'])
    await t.advance('1s')
    expect(await t.app.purgeExecutions(0)).toBe(2)
    expect(await t.app.execution(id)).toBeNull()
  })

  it('runs at once where they have ended, and once more when it is retried', async () => {
    const inputs: unknown[] = []
    const last = job<unknown>('last', {
      retry: { retries: 0 },
      run: (input) => {
        inputs.push(input)
        if (inputs.length === 1) throw new Error('Not yet.')
      },
    })
    const first = step('first')
    await using t = await testPontual({ jobs: [first, last] })
    const before = await t.app.enqueue(first)
    await t.settle()
    const { id } = await t.app.enqueue(last, undefined, { after: before })
    await t.settle()
    const again = await t.app.retry(id)
    await t.settle()
    expect(inputs).toEqual(['FIRST', 'FIRST'])
    expect(await t.app.execution(again)).toMatchObject({ status: 'SUCCESS', after: [{ id: before.id, on: 'success' }] })
  })

  it('may have an input of its own; many may stand behind one', async () => {
    const calls: [string, unknown][] = []
    const [first, many] = [step('first', calls), step('many', calls)]
    await using t = await testPontual({ jobs: [first, many] })
    const before = await t.app.enqueue(first, 0)
    await t.app.enqueueMany(many, [1, 2, 3], { after: before })
    await t.settle()
    expect(calls).toEqual([
      ['first', 0],
      ['many', 1],
      ['many', 2],
      ['many', 3],
    ])
  })

  it.each<[string, unknown, string]>([
    ['nobody', [], 'after must be an execution, or a list of 1-10000, got a list of 0.'],
    ['no id', 'x', 'after must be a UUID, got "x".'],
    ['no execution', ABSENT, `There is no execution "${ABSENT}" of tenant "default"`],
    ['another condition', { id: ABSENT, on: 'sucess' }, 'Did you mean "success"?'],
    ['a misspelt field', { id: ABSENT, when: 'end' }, 'after has no field "when"'],
    ['a number', 7, 'after must be the id of an execution, or { id, on }, got 7.'],
    ['one twice', [ABSENT, { id: ABSENT.toUpperCase(), on: 'end' }], 'twice'],
  ])('is refused after %s', async (_what, after, message) => {
    await using t = await testPontual()
    await expect(t.app.enqueue('work', 1, { after: after as never })).rejects.toThrow(message)
    expect(await t.app.executions()).toEqual([])
  })

  it('is refused together with a time, and after one of another tenant', async () => {
    await using t = await testPontual()
    const { id } = await t.app.enqueue('work')
    await expect(t.app.enqueue('work', 1, { after: id, delay: '1s' })).rejects.toThrow(
      'either after, or delay or runAt',
    )
    await expect(t.app.enqueue('work', 1, { after: id, runAt: 0 })).rejects.toThrow('either after, or delay or runAt')
    await expect(t.app.enqueue('work', 1, { after: id, tenant: 'other' })).rejects.toMatchObject({
      code: 'execution.predecessor_unknown',
    })
  })

  it('that waits for a thousand runs once, when the last of them has ended', async () => {
    const calls: unknown[] = []
    const many = job<number>('many', { run: (input) => input })
    const last = job<unknown>('last', { run: (input) => calls.push(input) })
    await using t = await testPontual({ jobs: [many, last], node: { slots: 100 } })
    const numbers = Array.from({ length: 1_000 }, (_, number) => number)
    const all = await t.app.enqueueMany(many, numbers)
    await t.app.enqueue(last, undefined, { after: all })
    await t.settle()
    expect(calls).toEqual([numbers])
  })
})
