import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { refusal } from '../../test/instants.ts'
import { cron } from '../time/triggers/cron.ts'
import { type AnyJobType, type JobType, type JobTypeOptions, job, timeoutOf } from './job-type.ts'

const run = () => 'done'

describe('a job type', () => {
  it('has defaults for all but its id and its handler', () => {
    expect(job('work', { run })).toEqual({
      id: 'work',
      schema: null,
      run,
      isolation: null,
      queue: 'default',
      priority: 'MEDIUM',
      timeoutMs: null,
      retry: null,
      cache: null,
      rateLimit: null,
      schedules: [],
      followers: [],
    })
  })

  it('has what it is given, checked', () => {
    const input = z.string()
    const type = job('work', { run, input, queue: 'slow', priority: 'LOW', timeout: '5m', retry: { retries: 1 } })
    expect(type).toMatchObject({
      schema: input,
      queue: 'slow',
      priority: 'LOW',
      timeoutMs: 300_000,
      retry: { retries: 1 },
    })
    expect(Object.isFrozen(type)).toBe(true)
  })

  it('may have one schedule or several', () => {
    const schedule = { trigger: cron('0 3 * * *') }
    expect(job('work', { run, schedule }).schedules).toEqual([schedule])
    const two = [schedule, { name: 'noon', trigger: cron('0 12 * * *') }]
    expect(job('work', { run, schedule: two }).schedules).toEqual(two)
  })

  it('knows the types of its input and output', () => {
    const typed = job('typed', { input: z.object({ n: z.string().transform(Number) }), run: ({ n }) => n > 1 })
    expectTypeOf(typed).toExtend<JobType<{ n: number }, boolean, { n: string }>>()
    const list: AnyJobType[] = [typed, job('plain', { run: (input: string) => input.length }), job('none', { run })]
    expect(list).toHaveLength(3)
  })

  it.each<[string, string, Record<string, unknown>, string]>([
    ['an unknown option', 'work', { run, retires: 1 }, 'Job type "work" has no field "retires"'],
    ['a misspelt option, with a hint', 'work', { run, timout: 1 }, 'Did you mean "timeout"?'],
    ['no handler', 'work', {}, 'Job type "work": run must be a function, got nothing.'],
    ['a handler that is none', 'work', { run: 'x' }, 'run must be a function, got "x"'],
    ['an input that is no schema', 'work', { run, input: {} }, 'Job type "work": input must be a schema'],
    ['an empty id', '', { run }, 'Job type id must be text'],
    ['a timeout of nothing', 'work', { run, timeout: 0 }, 'timeout must be longer than zero; leave it out for none.'],
    ['an unknown priority', 'work', { run, priority: 'high' }, 'priority must be one of HIGH, MEDIUM, LOW'],
    ['an empty queue', 'work', { run, queue: '' }, 'queue must be text'],
    ['null as its queue', 'work', { run, queue: null }, 'queue must be text'],
    ['null as its priority', 'work', { run, priority: null }, 'priority must be one of HIGH, MEDIUM, LOW, got null'],
    ['wrong retries', 'work', { run, retry: { retries: -1 } }, 'retries must be'],
  ])('is refused with %s', (_what, id, options, message) => {
    const ask = () => job(id, options as unknown as JobTypeOptions<undefined, unknown>)
    expect(refusal(ask).message).toContain(message)
  })
})

describe('a timeout', () => {
  it.each([
    [1, 1],
    ['90s', 90_000],
    ['30 min', 1_800_000],
  ])('%j is %i ms', (timeout, milliseconds) => {
    expect(timeoutOf(timeout)).toBe(milliseconds)
  })

  it.each([0, '0s', -1, 'never'])('is not %j', (timeout) => {
    expect(refusal(() => timeoutOf(timeout)).message).toMatch(/^timeout must be/)
  })
})
