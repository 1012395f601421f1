import { describe, expect, it } from 'vitest'
import { PontualError } from '../../errors.ts'
import { failureOf, NonRetryableError, TimeoutError } from '../../job/execution/failure.ts'
import { isRetryable, retryRules } from '../../job/rules/retry.ts'
import { InvalidPayloadError } from '../../job/type/standard-schema.ts'
import { describeError, describeHopeless, rebuildError, type SentError } from './sent-error.ts'

class OwnError extends Error {
  readonly code = 'E_OWN'
}
class DeeperError extends OwnError {
  override readonly name = 'Deeper'
}
class OwnHopelessError extends NonRetryableError {}
class HostileError extends Error {
  override get message(): string {
    throw new Error('not to be read')
  }
}

function travelled(thrown: unknown): unknown {
  return rebuildError(structuredClone(describeError(thrown)))
}

describe('an error that has come from an isolate', () => {
  it.each<[string, unknown]>([
    ['an error', new Error('one')],
    ['a TypeError', new TypeError('two')],
    ['a class of its own', new DeeperError('three')],
    ['an error of Pontual', new TimeoutError(5)],
    ['text', 'four'],
    ['data', { five: 5 }],
    ['nothing', undefined],
    ['a function', () => {}],
    ['a bigint', 6n],
    ['one that cannot be read', new HostileError()],
  ])('is kept as it would be kept where it was thrown: %s', (_what, thrown) => {
    expect(failureOf(travelled(thrown))).toEqual(failureOf(thrown))
  })

  it.each<[string, string, boolean]>([
    ['its name', 'Deeper', false],
    ['its code', 'E_OWN', false],
    ['its class', 'DeeperError', false],
    ['a class above it', 'OwnError', false],
    ['no class of others', 'TypeError', true],
  ])('is subject to retry rules by %s', (_what, name, expected) => {
    const error = travelled(new DeeperError('x'))
    expect(error).toBeInstanceOf(Error)
    const rules = retryRules({ nonRetryable: [name] })
    expect(isRetryable(rules, error)).toBe(expected)
    expect(isRetryable(rules, new DeeperError('x'))).toBe(expected)
  })

  it.each<[string, unknown, abstract new (...given: never[]) => unknown]>([
    ['NonRetryableError', new NonRetryableError('x'), NonRetryableError],
    ['a class below NonRetryableError', new OwnHopelessError('x'), NonRetryableError],
    ['TimeoutError', new TimeoutError(1), TimeoutError],
    ['InvalidPayloadError', new InvalidPayloadError('x', 'y'), InvalidPayloadError],
    ['PontualError', new PontualError('a.b', 'x'), PontualError],
    ['RangeError', new RangeError('x'), RangeError],
  ])('is an instance of what it was: %s', (_what, thrown, expected) => {
    expect(travelled(thrown)).toBeInstanceOf(expected)
  })

  it('keeps its details', () => {
    expect(travelled(new TimeoutError(5))).toMatchObject({ details: { timeoutMs: 5 } })
  })

  it('is not tried again where it is about an output', () => {
    const sent: SentError = describeHopeless(new PontualError('payload.unstorable', 'x'))
    expect(rebuildError(sent)).toBeInstanceOf(NonRetryableError)
    expect(failureOf(rebuildError(sent))).toMatchObject({
      name: 'PontualError',
      code: 'payload.unstorable',
      message: 'x',
    })
  })
})
