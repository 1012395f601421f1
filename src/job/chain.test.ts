import { describe, expect, test } from 'vitest'
import { refusal } from '../../test/instants.ts'
import { type Chain, chain } from './chain.ts'
import { job } from './job-type.ts'

const resize = job('resize', { run: (input: { width: number }) => input.width })

/** Each step as its id, and what it stands behind. */
function drawn({ steps }: Chain): string[] {
  return steps.map(({ type, after }) => {
    const id = typeof type === 'string' ? type : type.id
    return [id, ...after.map(({ place, on }) => `${on} of ${place}`)].join(', ')
  })
}

describe('a chain', () => {
  test.each<[string, Chain, string[]]>([
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

  test('keeps inputs and options of its steps', () => {
    const built = chain(resize, { width: 1 }, { queue: 'gpu' }).next({
      type: resize,
      input: { width: 2 },
      timeout: '1s',
    })
    expect(built.steps).toMatchObject([
      { input: { width: 1 }, options: { queue: 'gpu' } },
      { input: { width: 2 }, options: { timeout: '1s' } },
    ])
  })

  test('takes only inputs that its job types take', () => {
    // @ts-expect-error A width is a number.
    chain(resize, { width: 'one' })
    // @ts-expect-error It has an input.
    chain(resize)
    // @ts-expect-error It has an input.
    chain(resize, undefined)
    // @ts-expect-error A width is a number.
    const built = chain('a').next({ type: resize, input: { width: 'one' } })
    expect(drawn(built)).toEqual(['a', 'resize, success of 0'])
  })

  test('may have a key on a branch for failures behind one step, and not behind several', () => {
    const alert = { type: 'alert', idempotencyKey: 'once' }
    expect(drawn(chain('a').onFailure(alert))).toEqual(['a', 'alert, failure of 0'])
    expect(refusal(() => chain('a').next('b', 'c').onFailure('log', alert))).toMatchObject({
      code: 'option.invalid',
      message:
        'Chain step "alert" takes no idempotencyKey in onFailure behind 2 steps, because it would be the same for each of them.',
    })
  })

  test.each<[string, () => Chain, string]>([
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

  test('has at most 10,000 steps', () => {
    const many = Array.from({ length: 9_999 }, () => 'b')
    const built = chain('a').next(...many)
    expect(built.steps).toHaveLength(10_000)
    expect(() => built.next('c')).toThrow('A chain has at most 10000 steps, got 10001.')
  })
})
