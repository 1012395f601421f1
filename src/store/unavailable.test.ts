import { describe, expect, it } from 'vitest'
import { isTransient, REFUSED, StoreUnavailableError, sqlStateOf } from './unavailable.ts'

const withCode = (code: string) => Object.assign(new Error('x'), { code })

describe('an error is transient', () => {
  it.each([
    ['a deadlock', withCode('40P01'), true],
    ['a serialization failure', withCode('40001'), true],
    ['a server that shuts down', withCode('57P01'), true],
    ['a server that starts', withCode('57P03'), true],
    ['a session that was idle for too long', withCode('57P05'), true],
    ['a transaction that was idle for too long', withCode('25P03'), true],
    ['a transaction that took too long', withCode('25P04'), true],
    ['too many connections', withCode('53300'), true],
    ['a connection that broke', withCode('08006'), true],
    ['a primary that became a standby', withCode('25006'), true],
    ['an answer that did not come', new StoreUnavailableError('store.deadline', 'x'), true],
    ['a wrong password', new StoreUnavailableError(REFUSED, 'x'), false],
    ['a unique violation', withCode('23505'), false],
    ['a statement that was cancelled', withCode('57014'), true],
    ['a lock that was not to be had', withCode('55P03'), true],
    ['a value that cannot be stored', withCode('22P05'), false],
    ['too much of something', withCode('54000'), false],
    ['an error of no database', new Error('x'), false],
    ['no error at all', 'x', false],
  ])('%s', (_what, error, expected) => expect(isTransient(error)).toBe(expected))
})

describe('the state of an error', () => {
  it.each([
    ['of the database', withCode('22P02'), '22P02'],
    ['of the network', withCode('EPIPE'), null],
    ['of the network, longer', withCode('ECONNRESET'), null],
    ['of Pontual', withCode('store.deadline'), null],
    [
      'that stands behind one of Pontual',
      new StoreUnavailableError('store.busy', 'x', {}, { cause: withCode('40P01') }),
      '40P01',
    ],
  ])('%s', (_what, error, expected) => expect(sqlStateOf(error)).toBe(expected))
})
