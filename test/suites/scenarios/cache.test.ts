import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { ExecutionView } from '../../../src/engine/app/executions.ts'
import { type JobTypeOptions, job } from '../../../src/job/type/job-type.ts'
import { pontual } from '../../../src/pontual.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import { StoreUnavailableError } from '../../../src/store/unavailable.ts'
import { type TestPontual, testPontual } from '../../../src/testing.ts'
import { cron } from '../../../src/time/triggers/cron.ts'
import { Gate } from './gate.ts'
import { Processes } from './processes.ts'
import { RecordedEvents } from './recorded.ts'

const HOUR = 3_600_000

interface Question {
  readonly from?: string
  readonly to?: string
  readonly at?: number
}

/** A job type that says how often it ran. */
function rates(options: Partial<JobTypeOptions<Question, unknown>> = {}) {
  const inputs: Question[] = []
  const type = job('rates', {
    cache: '1h',
    retry: { retries: 0 },
    ...options,
    run: (input: Question) => {
      inputs.push(input)
      return { run: inputs.length }
    },
  })
  return { type, inputs }
}

async function ended(t: TestPontual, asked: Promise<{ readonly id: string }>): Promise<ExecutionView> {
  const { id } = await asked
  await t.settle()
  const execution = await t.app.execution(id)
  if (!execution) throw new Error(`There is no execution ${id}.`)
  return execution
}

describe('an equal input', () => {
  it('is given the stored result, and says whose it is', async () => {
    const { type, inputs } = rates()
    await using t = await testPontual({ jobs: [type] })
    const first = await ended(t, t.app.enqueue(type, { from: 'BRL' }))
    await t.advance('59m')
    const second = await ended(t, t.app.enqueue(type, { from: 'BRL' }))
    expect(first).toMatchObject({ status: 'SUCCESS', output: { run: 1 }, cachedFrom: null })
    expect(second).toMatchObject({ status: 'SUCCESS', output: { run: 1 }, cachedFrom: first.id, attempt: 1 })
    expect(second.attempts).toMatchObject([{ attempt: 1, status: 'SUCCESS' }])
    expect(inputs).toEqual([{ from: 'BRL' }])
  })

  it.each<[string, Question, Question, boolean]>([
    ['the same', { from: 'BRL', to: 'USD' }, { from: 'BRL', to: 'USD' }, true],
    ['another order of fields', { from: 'BRL', to: 'USD' }, { to: 'USD', from: 'BRL' }, true],
    ['a field without a value', { from: 'BRL' }, { from: 'BRL', to: undefined } as unknown as Question, true],
    ['another value', { from: 'BRL' }, { from: 'USD' }, false],
    ['one field more', { from: 'BRL' }, { from: 'BRL', to: 'USD' }, false],
    ['text in place of a number', { at: 1 }, { at: '1' } as unknown as Question, false],
  ])('%s', async (_what, one, other, isEqual) => {
    const { type, inputs } = rates()
    await using t = await testPontual({ jobs: [type] })
    await ended(t, t.app.enqueue(type, one))
    const { cachedFrom } = await ended(t, t.app.enqueue(type, other))
    expect(cachedFrom !== null).toBe(isEqual)
    expect(inputs).toHaveLength(isEqual ? 1 : 2)
  })

  it('is equal as the schema gives it out', async () => {
    const input = z.object({ from: z.string().toUpperCase(), to: z.string().default('USD') })
    let runs = 0
    const type = job('rates', { cache: '1h', input, run: () => ++runs })
    await using t = await testPontual({ jobs: [type] })
    await ended(t, t.app.enqueue(type, { from: 'BRL' }))
    expect(await ended(t, t.app.enqueue(type, { from: 'brl', to: 'USD' }))).toMatchObject({ output: 1 })
    expect(runs).toBe(1)
  })

  it('is equal by the key, where there is one', async () => {
    const { type, inputs } = rates({ cache: { ttl: '1h', key: ({ from }) => [from, 2] } })
    await using t = await testPontual({ jobs: [type] })
    const first = await ended(t, t.app.enqueue(type, { from: 'BRL', at: 1 }))
    expect(await ended(t, t.app.enqueue(type, { from: 'BRL', at: 2 }))).toMatchObject({ cachedFrom: first.id })
    expect(await ended(t, t.app.enqueue(type, { from: 'USD', at: 1 }))).toMatchObject({ cachedFrom: null })
    expect(inputs).toHaveLength(2)
  })

  it('that no key can be made of fails for good, and says what to do', async () => {
    const input = z.object({ from: z.string() }).transform(({ from }) => ({ from, call: () => from }))
    const type = job('rates', { cache: '1h', input, run: () => 1 })
    await using t = await testPontual({ jobs: [type] })
    expect(await ended(t, t.app.enqueue(type, { from: 'BRL' }))).toMatchObject({
      status: 'FAILED',
      attempt: 1,
      error: { code: 'cache.key_invalid', message: expect.stringContaining('call is a function; ') as string },
    })
  })

  it.each<[string, string, string, boolean]>([
    ['of another tenant', 'rates', 'globex', false],
    ['of another job type', 'other', 'acme', false],
    ['of the same', 'rates', 'acme', true],
  ])('%s', async (_what, jobType, tenant, isHit) => {
    const { type } = rates()
    const other = job('other', { cache: '1h', run: (_input: Question) => 'other' })
    await using t = await testPontual({ jobs: [type, other], tenant: 'acme' })
    await ended(t, t.app.enqueue(type, { from: 'BRL' }))
    const { cachedFrom } = await ended(t, t.app.enqueue(jobType, { from: 'BRL' }, { tenant }))
    expect(cachedFrom !== null).toBe(isHit)
  })

  it('runs where the job type has no cache', async () => {
    let runs = 0
    const type = job('plain', { run: () => ++runs })
    await using t = await testPontual({ jobs: [type] })
    await ended(t, t.app.enqueue(type))
    expect(await ended(t, t.app.enqueue(type))).toMatchObject({ output: 2, cachedFrom: null })
  })

  it('is given nothing, where nothing was returned', async () => {
    let runs = 0
    const type = job('quiet', {
      cache: '1h',
      run: () => {
        runs += 1
      },
    })
    await using t = await testPontual({ jobs: [type] })
    const first = await ended(t, t.app.enqueue(type))
    const second = await ended(t, t.app.enqueue(type))
    expect(second).toMatchObject({ status: 'SUCCESS', cachedFrom: first.id })
    expect(second.output).toBeUndefined()
    expect(runs).toBe(1)
  })
})

describe('the time to live', () => {
  it.each<[string, number, boolean]>([
    ['one millisecond before its end', HOUR - 1, true],
    ['at its end', HOUR, false],
    ['after its end', HOUR + 1, false],
  ])('%s', async (_when, afterMs, isHit) => {
    const { type } = rates()
    await using t = await testPontual({ jobs: [type] })
    await ended(t, t.app.enqueue(type, {}))
    await t.advance(afterMs)
    const { cachedFrom } = await ended(t, t.app.enqueue(type, {}))
    expect(cachedFrom !== null).toBe(isHit)
  })

  it('counts from the end of the run', async () => {
    const gate = new Gate()
    let runs = 0
    const type = job('slow', {
      cache: '1h',
      run: async () => {
        runs += 1
        if (runs === 1) await gate.opened
        return runs
      },
    })
    await using all = new Processes()
    const node = await all.node({ jobs: [type] })
    const { id: first } = await node.app.enqueue(type)
    await all.pass('2h')
    gate.open()
    await all.settle()
    await all.pass('59m')
    const { id: hit } = await node.app.enqueue(type)
    await all.settle()
    expect(await node.execution(hit)).toMatchObject({ output: 1, cachedFrom: first })
    await all.pass('1m')
    const { id: miss } = await node.app.enqueue(type)
    await all.settle()
    expect(await node.execution(miss)).toMatchObject({ output: 2, cachedFrom: null })
  })

  it('is not prolonged by those who are given the result', async () => {
    const { type, inputs } = rates()
    await using t = await testPontual({ jobs: [type] })
    const first = await ended(t, t.app.enqueue(type, {}))
    await t.advance('40m')
    expect(await ended(t, t.app.enqueue(type, {}))).toMatchObject({ cachedFrom: first.id })
    await t.advance('20m')
    expect(await ended(t, t.app.enqueue(type, {}))).toMatchObject({ cachedFrom: null })
    expect(inputs).toHaveLength(2)
  })

  it('is not cut short by the purge of the execution that made it', async () => {
    const { type } = rates()
    await using t = await testPontual({ jobs: [type] })
    const first = await ended(t, t.app.enqueue(type, {}))
    await t.advance('1m')
    expect(await t.app.purgeExecutions(0)).toBe(1)
    expect(await t.app.execution(first.id)).toBeNull()
    const second = await ended(t, t.app.enqueue(type, {}))
    expect(second).toMatchObject({ output: { run: 1 }, cachedFrom: first.id })
  })
})

describe('what is kept', () => {
  it('is no failure: the next one runs', async () => {
    let runs = 0
    const type = job('shaky', {
      cache: '1h',
      retry: { retries: 0 },
      run: () => {
        runs += 1
        if (runs === 1) throw new Error('not yet')
        return runs
      },
    })
    await using t = await testPontual({ jobs: [type] })
    expect(await ended(t, t.app.enqueue(type))).toMatchObject({ status: 'FAILED', cachedFrom: null })
    expect(await ended(t, t.app.enqueue(type))).toMatchObject({ status: 'SUCCESS', output: 2, cachedFrom: null })
    expect(await ended(t, t.app.enqueue(type))).toMatchObject({ status: 'SUCCESS', output: 2 })
  })

  it('is no output that cannot be stored', async () => {
    const type = job('large', { cache: '1h', run: () => 'x'.repeat(2_000_000) })
    await using t = await testPontual({ jobs: [type] })
    await ended(t, t.app.enqueue(type))
    expect(await ended(t, t.app.enqueue(type))).toMatchObject({
      status: 'FAILED',
      cachedFrom: null,
      error: { code: 'payload.too_large' },
    })
  })

  it('is found by a retry too', async () => {
    let isBroken = true
    const type = job('shaky', {
      cache: '1h',
      run: () => {
        if (isBroken) throw new Error('broken')
        return 'well'
      },
    })
    await using t = await testPontual({ jobs: [type] })
    const { id } = await t.app.enqueue(type)
    await t.settle()
    isBroken = false
    const other = await ended(t, t.app.enqueue(type))
    isBroken = true
    await t.advance('1m')
    expect(await t.app.execution(id)).toMatchObject({ status: 'SUCCESS', attempt: 2, cachedFrom: other.id })
  })

  it('stands in for scheduled runs', async () => {
    const { type, inputs } = rates({ schedule: { trigger: cron('*/20 * * * *'), input: {} } })
    await using t = await testPontual({ jobs: [type] })
    await t.advance('2h')
    const executions = await t.app.executions()
    expect(executions).toHaveLength(6)
    expect(executions.filter(({ cachedFrom }) => cachedFrom === null)).toHaveLength(2)
    expect(inputs).toHaveLength(2)
  })

  it('is found by others, in another process', async () => {
    const { type, inputs } = rates()
    await using all = new Processes()
    const one = await all.node({ jobs: [type] })
    const { id: first } = await one.app.enqueue(type, {})
    await all.settle()
    await all.until(one.app.stop())
    const other = await all.node({ jobs: [type] })
    const { id } = await other.app.enqueue(type, {})
    await all.settle()
    expect(await other.execution(id)).toMatchObject({ status: 'SUCCESS', cachedFrom: first })
    expect(inputs).toHaveLength(1)
  })

  it('stands in for runs in a thread', async () => {
    const type = job('twice', { cache: '1h', isolate: 'thread', run: (input: number) => input * 2 })
    await using app = pontual({ store: memory(), jobs: [type], logger: 'silent' })
    await app.start()
    const first = await app.waitFor((await app.enqueue(type, 21)).id)
    expect(first).toMatchObject({ status: 'SUCCESS', output: 42, cachedFrom: null })
    const second = await app.waitFor((await app.enqueue(type, 21)).id)
    expect(second).toMatchObject({ status: 'SUCCESS', output: 42, cachedFrom: first.id })
  })

  it('is told as a success', async () => {
    using events = new RecordedEvents()
    const { type } = rates()
    await using t = await testPontual({ jobs: [type] })
    await ended(t, t.app.enqueue(type, {}))
    const { id } = await ended(t, t.app.enqueue(type, {}))
    expect(events.of('execution.succeeded').map(({ executionId }) => executionId)).toContain(id)
  })
})

describe('a fresh run', () => {
  it('runs, and its result takes the place of the kept one', async () => {
    const { type } = rates()
    await using t = await testPontual({ jobs: [type] })
    await ended(t, t.app.enqueue(type, {}))
    await t.advance('30m')
    const forced = await ended(t, t.app.enqueue(type, {}, { fresh: true }))
    expect(forced).toMatchObject({ output: { run: 2 }, cachedFrom: null, options: { fresh: true } })
    await t.advance('59m')
    expect(await ended(t, t.app.enqueue(type, {}))).toMatchObject({ output: { run: 2 }, cachedFrom: forced.id })
  })

  it('is not asked for with anything but true or false', async () => {
    const { type } = rates()
    await using t = await testPontual({ jobs: [type] })
    const ask = t.app.enqueue(type, {}, { fresh: 'yes' as unknown as boolean })
    await expect(ask).rejects.toThrow('fresh must be true or false, got "yes".')
    expect(await ended(t, t.app.enqueue(type, {}, { fresh: false }))).toMatchObject({ options: null })
  })
})

describe('clearCache', () => {
  const all = { acme: ['BRL', 'USD'], globex: ['BRL'] } as const

  async function filled(t: TestPontual, type: ReturnType<typeof rates>['type']): Promise<void> {
    for (const [tenant, currencies] of Object.entries(all)) {
      for (const from of currencies) await ended(t, t.app.enqueue(type, { from }, { tenant }))
    }
  }

  it.each<[string, Parameters<TestPontual['app']['clearCache']>[1], number, string[]]>([
    ['all of the tenant', {}, 2, ['globex BRL']],
    ['all of another tenant', { tenant: 'globex' }, 1, ['acme BRL', 'acme USD']],
    ['one input', { input: { from: 'USD' } }, 1, ['acme BRL', 'globex BRL']],
    ['an input nobody asked for', { input: { from: 'EUR' } }, 0, ['acme BRL', 'acme USD', 'globex BRL']],
  ])('removes %s', async (_what, options, count, left) => {
    const { type } = rates()
    await using t = await testPontual({ jobs: [type], tenant: 'acme' })
    await filled(t, type)
    expect(await t.app.clearCache('rates', options)).toBe(count)
    const kept: string[] = []
    for (const [tenant, currencies] of Object.entries(all)) {
      for (const from of currencies) {
        const { cachedFrom } = await ended(t, t.app.enqueue(type, { from }, { tenant }))
        if (cachedFrom !== null) kept.push(`${tenant} ${from}`)
      }
    }
    expect(kept).toEqual(left)
  })

  it('reads an input as the job type does', async () => {
    const input = z.object({ from: z.string().toUpperCase() })
    const type = job('rates', { cache: { ttl: '1h', key: ({ from }) => from }, input, run: () => 1 })
    await using t = await testPontual({ jobs: [type] })
    await ended(t, t.app.enqueue(type, { from: 'BRL' }))
    expect(await t.app.clearCache(type, { input: { from: 'brl' } })).toBe(1)
    await expect(t.app.clearCache(type, { input: {} as { from: string } })).rejects.toMatchObject({
      code: 'payload.invalid',
    })
  })

  it('takes a job type that is unknown here, but no input of it', async () => {
    await using t = await testPontual()
    expect(await t.app.clearCache('elsewhere')).toBe(0)
    await expect(t.app.clearCache('elsewhere', { input: 1 })).rejects.toThrow('"elsewhere" is none')
  })
})

describe('the store', () => {
  it('is asked once for many lookups', async () => {
    const { type } = rates()
    await using all = new Processes()
    const node = await all.node({ jobs: [type], node: { slots: 50 } })
    await node.app.enqueueMany(
      type,
      Array.from({ length: 50 }, (_, at) => ({ at })),
    )
    await all.settle()
    const { asked } = node.link
    expect(asked.filter((verb) => verb === 'cache.find')).toHaveLength(1)
    expect(asked.filter((verb) => verb === 'cache.put').length).toBeLessThanOrEqual(2)
    expect(await node.app.executions({ statuses: ['SUCCESS'] })).toHaveLength(50)
  })

  it('is not asked about job types without a cache', async () => {
    await using all = new Processes()
    const type = job('plain', { run: () => 1 })
    const node = await all.node({ jobs: [type] })
    await node.app.enqueueMany(type, [undefined, undefined])
    await all.settle()
    expect(await node.app.executions({ statuses: ['SUCCESS'] })).toHaveLength(2)
    expect(node.link.asked.filter((verb) => verb.startsWith('cache.'))).toEqual([])
  })

  it('is waited for while it is away', async () => {
    const { type, inputs } = rates()
    await using all = new Processes()
    const node = await all.node({ jobs: [type] })
    const { id: first } = await node.app.enqueue(type, {})
    await all.settle()
    let isAway = true
    node.link.intercept = async (verb, send) => {
      if (isAway && verb === 'cache.find') throw new StoreUnavailableError('store.unavailable', 'The store is away.')
      return await send()
    }
    const { id } = await node.app.enqueue(type, {})
    await all.pass('1m')
    expect(await node.execution(id)).toMatchObject({ status: 'RUNNING' })
    isAway = false
    await all.pass('10s')
    expect(await node.execution(id)).toMatchObject({ status: 'SUCCESS', cachedFrom: first })
    expect(inputs).toHaveLength(1)
  })

  it('that is away is not waited for at shutdown: the execution is handed back', async () => {
    const { type, inputs } = rates()
    await using all = new Processes()
    const node = await all.node({ jobs: [type], shutdownGrace: '5s' })
    node.link.intercept = async (verb, send) => {
      if (verb === 'cache.find') throw new StoreUnavailableError('store.unavailable', 'The store is away.')
      return await send()
    }
    const { id } = await node.app.enqueue(type, {})
    await all.pass('10s')
    await all.until(node.app.stop(), '10s')
    expect(await all.process().execution(id)).toMatchObject({ status: 'QUEUED', attempt: 0 })
    expect(inputs).toEqual([])
    expect(node.log.of('Kept results could not be read, and the handler runs')).toEqual([])
  })

  it.each(['cache.find', 'cache.put'])('that refuses %s does not keep work from being done', async (refused) => {
    const { type, inputs } = rates()
    await using all = new Processes()
    const node = await all.node({ jobs: [type] })
    node.link.intercept = async (verb, send) => {
      if (verb === refused) throw new Error('permission denied for table cached_results')
      return await send()
    }
    await node.app.enqueue(type, {})
    await all.pass('10s')
    const { id } = await node.app.enqueue(type, {})
    await all.pass('10s')
    expect(await node.execution(id)).toMatchObject({ status: 'SUCCESS', output: { run: 2 }, cachedFrom: null })
    expect(inputs).toHaveLength(2)
    expect(node.log.at('warn').length).toBeGreaterThan(0)
  })

  it('does not begin a handler whose execution was cancelled while it was asked', async () => {
    const { type, inputs } = rates()
    await using all = new Processes()
    const node = await all.node({ jobs: [type] })
    const gate = new Gate()
    node.link.intercept = async (verb, send) => {
      if (verb === 'cache.find') await gate.opened
      return await send()
    }
    const { id } = await node.app.enqueue(type, {})
    await all.settle()
    expect(await node.app.cancel(id)).toBe('cancelled')
    await all.pass('10s')
    gate.open()
    await all.pass('10s')
    expect(await node.execution(id)).toMatchObject({ status: 'CANCELLED' })
    expect(inputs).toEqual([])
  })

  it('is asked after what has ended here is kept', async () => {
    const { type, inputs } = rates()
    await using all = new Processes()
    const node = await all.node({ jobs: [type] })
    const gate = new Gate()
    node.link.intercept = async (verb, send) => {
      if (verb === 'cache.put') await gate.opened
      return await send()
    }
    const { id: first } = await node.app.enqueue(type, {})
    await all.settle()
    expect(await node.execution(first)).toMatchObject({ status: 'SUCCESS' })
    const { id } = await node.app.enqueue(type, {})
    await all.settle()
    gate.open()
    await all.settle()
    expect(await node.execution(id)).toMatchObject({ status: 'SUCCESS', cachedFrom: first })
    expect(inputs).toHaveLength(1)
  })

  it('loses what is over when it is maintained', async () => {
    const { type } = rates()
    await using t = await testPontual({ jobs: [type] })
    await ended(t, t.app.enqueue(type, { at: 1 }))
    await t.advance('30m')
    await ended(t, t.app.enqueue(type, { at: 2 }))
    await t.advance('30m')
    await t.advance('1h')
    expect(await t.app.clearCache(type)).toBe(0)
  })
})
