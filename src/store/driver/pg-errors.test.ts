import { describe, expect, it } from 'vitest'
import { failureOf, makesUnfit, reasonOf, unreachable } from './pg-errors.ts'

const withCode = (code: string, message = 'why.') => Object.assign(new Error(message), { code })

describe('a connection that cannot be made', () => {
  it.each([
    ['nobody answers', withCode('ECONNREFUSED'), 'store.unreachable'],
    ['the server starts', withCode('57P03'), 'store.unreachable'],
    ['the password is wrong', withCode('28P01'), 'store.refused'],
    ['there is no such database', withCode('3D000'), 'store.refused'],
    [
      'there is no password',
      new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'),
      'store.refused',
    ],
  ])('%s', (_what, error, code) => {
    expect(unreachable('host:5432/db', error)).toMatchObject({ code, cause: error })
  })
})

describe('a statement that fails', () => {
  it('with an answer of the database is that answer', () => {
    const error = withCode('23505')
    expect(failureOf('host', 'enqueue', error, false)).toBe(error)
  })

  it.each([
    ['because the socket broke', withCode('ECONNRESET'), true],
    ['because the server shut down', withCode('57P01'), false],
  ])('%s may have been applied', (_what, error, isBroken) => {
    expect(failureOf('host', 'enqueue', error, isBroken)).toMatchObject({
      code: 'store.connection_lost',
      message:
        'The connection to PostgreSQL at host was lost during enqueue: why. It may or may not have been applied.',
    })
  })

  it.each([
    ['because its transaction was idle for too long', '25P03', 'store.unreachable'],
    ['because its transaction took too long', '25P04', 'store.interrupted'],
    ['because its session was idle for too long', '57P05', 'store.unreachable'],
  ])('%s was not applied', (_what, state, code) => {
    expect(failureOf('host', 'enqueue', withCode(state), false)).toMatchObject({
      code,
      message: 'PostgreSQL at host cannot do enqueue for now: why. Nothing was applied.',
    })
  })

  it('for another reason stays what it is', () => {
    const error = new TypeError('circular')
    expect(failureOf('host', 'enqueue', error, false)).toBe(error)
  })
})

describe('a connection is of no use', () => {
  it.each([
    ['on a standby', '25006', true],
    ['when a plan no longer fits', '0A000', true],
    ['when its statements are gone', '26000', true],
    ['after a constraint was hurt', '23505', false],
    ['after a deadlock', '40P01', false],
    ['after a full disk', '53100', false],
    ['after a shutdown', '57P01', true],
    ['after a timeout of an open transaction', '25P03', true],
    ['after a timeout of an idle session', '57P05', true],
  ])('%s', (_what, code, expected) => {
    const failure = failureOf('host', 'enqueue', withCode(code), false)
    expect(makesUnfit(failure)).toBe(expected)
  })
})

describe('a reason', () => {
  it.each([
    ['is the message', new Error('no.'), 'no'],
    ['is that of each address', new AggregateError([new Error('a'), new Error('b')]), 'a; b'],
    ['is the name where there is no message', new TypeError(), 'TypeError'],
  ])('%s', (_what, error, expected) => expect(reasonOf(error)).toBe(expected))
})
