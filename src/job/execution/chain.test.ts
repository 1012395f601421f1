import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { refusal } from '../../../test/harness/instants.ts'
import { job } from '../type/job-type.ts'
import { type Chain, type ChainStep, chain, type FailedStep } from './chain.ts'

const resize = job('resize', { run: (input: { url: string; width: number }) => input.url })
const extract = job('extract', { run: async ({ url }: { url: string }) => await Promise.resolve({ url, width: 3 }) })
const count = job('count', { run: (input: { width: number }) => input.width })
const parsed = job('parsed', {
  input: z.object({ url: z.string(), width: z.number().transform(String) }),
  run: ({ url, width }): { url: string } => ({ url: url + width }),
})
const publish = job('publish', { run: ([url, pages]: [url: string, pages: number]) => url + pages })
const nothing = job('nothing', { run: () => {} })
const optional = job('optional', { run: (input?: { url: string }) => input?.url })
const optionals = job('optionals', { run: (input: [a: null, b: number]) => input[1] })
const alert = job('alert', { run: ({ status, error }: FailedStep) => `${status} ${error?.message}` })
const atEnd = job('at-end', { run: (input: { url: string } | FailedStep) => input })
const allAtEnd = job('all-at-end', { run: (input: [url: string | null, pages: number | null]) => input })

/** Each step as its id, and what it stands behind. */
function drawn({ steps }: Chain): string[] {
  return steps.map(({ type, after }) => {
    const id = typeof type === 'string' ? type : type.id
    return [id, ...after.map(({ place, on }) => `${on} of ${place}`)].join(', ')
  })
}

describe('a chain', () => {
  it.each<[string, Chain, string[]]>([
    ['one step', chain('a'), ['a']],
    ['one after the other', chain('a').next('b').next('c'), ['a', 'b, success of 0', 'c, success of 1']],
    [
      'out and in',
      chain('a').next('b', 'c').next('d'),
      ['a', 'b, success of 0', 'c, success of 0', 'd, success of 1, success of 2'],
    ],
    [
      'many to many',
      chain('a').next('b', 'c').always('d', 'e'),
      ['a', 'b, success of 0', 'c, success of 0', 'd, end of 1, end of 2', 'e, end of 1, end of 2'],
    ],
    [
      'a branch for each that fails, beside the chain',
      chain('a').next('b', 'c').onFailure('alert').next('d'),
      [
        'a',
        'b, success of 0',
        'c, success of 0',
        'alert, failure of 1',
        'alert, failure of 2',
        'd, success of 1, success of 2',
      ],
    ],
  ])('%s', (_what, built, expected) => {
    expect(drawn(built)).toEqual(expected)
  })

  it('keeps inputs and options of its steps', () => {
    const built = chain(count, { width: 1 }, { queue: 'gpu' }).next({
      type: count,
      input: { width: 2 },
      timeout: '1s',
    })
    expect(built.steps).toMatchObject([
      { input: { width: 1 }, options: { queue: 'gpu' } },
      { input: { width: 2 }, options: { timeout: '1s' } },
    ])
  })

  it('takes only inputs that its job types take', () => {
    // @ts-expect-error A width is a number.
    chain(count, { width: 'one' })
    // @ts-expect-error It has an input.
    chain(count)
    // @ts-expect-error It has an input.
    chain(count, undefined)
    // @ts-expect-error A width is a number.
    const built = chain('a').next({ type: count, input: { width: 'one' } })
    expect(drawn(built)).toEqual(['a', 'count, success of 0'])
  })

  it('takes only steps whose input fits what the steps before them give', () => {
    const bare = chain(extract, { url: 'x' })
    const many: (typeof resize)[] = [resize, resize]
    const built = [
      bare.next(resize).next(nothing).next(nothing, 'elsewhere').next(optionals),
      bare.next(resize, count).next(publish),
      bare.next('elsewhere').next(publish),
      bare.next('elsewhere', count).next(publish),
      bare.next(...many).next(publish),
      bare.next(parsed).next(optional),
      bare.next(nothing).next(optional),
      bare.next({ type: publish, input: ['x', 1], priority: 'LOW' }),
      bare.next({ type: resize, input: undefined, queue: 'gpu' }),
      bare.onFailure(alert, 'elsewhere').next(resize),
      bare.always(atEnd).always('elsewhere'),
      bare.next(resize, count).always(allAtEnd),
      bare.next(...(['elsewhere', { type: 'elsewhere', input: 1 }] satisfies ChainStep[])).next(publish),
    ]
    expectTypeOf(bare.next(resize, 'elsewhere', nothing)).toEqualTypeOf<Chain<readonly [string, never, undefined]>>()
    const any: Chain[] = built
    expect(any.map(({ steps }) => steps.length)).toEqual([6, 4, 3, 4, 4, 3, 3, 2, 2, 4, 3, 4, 4])
  })

  it('does not compile with a step whose input does not fit', () => {
    const bare = chain(extract, { url: 'x' })
    // @ts-expect-error It gets an object, and takes a list.
    bare.next(publish)
    // @ts-expect-error Also with options.
    bare.next({ type: publish, queue: 'gpu' })
    // @ts-expect-error The second one does not fit.
    bare.next(resize, publish)
    // @ts-expect-error The list has another order.
    bare.next(count, resize).next(publish)
    // @ts-expect-error It gets a list.
    bare.next(resize, count).next(resize)
    // @ts-expect-error It gets a text after one that is not known, and takes a number.
    bare.next('elsewhere', resize).next(publish)
    // @ts-expect-error Nothing is null in a list, not undefined.
    bare.next(nothing, count).next(job('sum', { run: (input: [a: undefined, b: number]) => input[1] }))
    // @ts-expect-error The schema takes a text.
    bare.next(count).next(parsed)
    // @ts-expect-error The step before it may fail.
    bare.always(resize)
    // @ts-expect-error Also where its output is not known.
    bare.next('elsewhere').always(resize)
    // @ts-expect-error One that fails gives null.
    bare.next(resize, count).always(publish)
    // @ts-expect-error It gets the failure.
    bare.onFailure(resize)
    // @ts-expect-error Its own input does not fit.
    bare.next({ type: resize, input: { url: 'x' } })
    // @ts-expect-error A step has no such priority.
    expect(() => bare.next({ type: resize, priority: 'HIG' })).toThrow('priority must be')
    // @ts-expect-error A step has no such field.
    expect(() => bare.next({ type: resize, inptu: 1 })).toThrow('Did you mean "input"?')
    // @ts-expect-error That is no job type.
    expect(() => bare.next(5)).toThrow('A step of a chain must be')
  })

  it('may have a key on a branch for failures behind one step, and not behind several', () => {
    const alert = { type: 'alert', idempotencyKey: 'once' }
    expect(drawn(chain('a').onFailure(alert))).toEqual(['a', 'alert, failure of 0'])
    expect(refusal(() => chain('a').next('b', 'c').onFailure('log', alert))).toMatchObject({
      code: 'option.invalid',
      message:
        'Chain step "alert" takes no idempotencyKey in onFailure behind 2 steps, because it would be the same for each of them.',
    })
  })

  it.each<[string, () => Chain, string]>([
    ['an empty id', () => chain(''), 'Job type id must be text of 1-255 visible characters'],
    ['an empty id of a later step', () => chain('a').next(''), 'Job type id must be text'],
    ['no job type', () => chain(null as never), 'A step of a chain must be what job(…) gives'],
    ['an unknown option', () => chain('a', 1, { quue: 'x' } as never), 'Did you mean "queue"?'],
    [
      'an unknown priority',
      () => chain('a', 1, { priority: 'X' as never }),
      'priority must be one of HIGH, MEDIUM, LOW',
    ],
    ['null as a priority', () => chain('a', 1, { priority: null as never }), 'priority must be one of'],
    ['an empty queue', () => chain('a').always({ type: 'b', queue: '' }), 'queue must be text'],
    ['a timeout of nothing', () => chain('a').next({ type: 'b', timeout: 0 }), 'timeout must be longer than zero'],
    ['wrong retries', () => chain('a').onFailure({ type: 'b', retry: { retries: -1 } }), 'retries must be'],
    ['an empty key', () => chain('a', 1, { idempotencyKey: '' }), 'idempotencyKey must be text'],
  ])('is refused with %s where it is written', (_what, build, message) => {
    expect(refusal(build).message).toContain(message)
  })

  it('has at most 10,000 steps', () => {
    const many = Array.from({ length: 9_999 }, () => 'b')
    const built = chain('a').next(...many)
    expect(built.steps).toHaveLength(10_000)
    expect(() => built.next('c')).toThrow('A chain has at most 10000 steps, got 10001.')
  })
})
