import { expect, it } from 'vitest'
import { type ErrorClass, errorClassOf } from './error-class.ts'

it.each<[string, Parameters<typeof errorClassOf>, ErrorClass]>([
  ['a timeout', ['TIMEOUT', null], 'timeout'],
  ['a timeout of a step', ['FAILED', failure('It took too long.', 'activity.timeout')], 'timeout'],
  ['a refused connection', ['FAILED', failure('connect ECONNREFUSED 10.0.0.5:5432', 'ECONNREFUSED')], 'network'],
  ['a refused connection, in words', ['FAILED', failure('connect ECONNREFUSED 10.0.0.5:5432')], 'network'],
  ['a name that nobody knows', ['FAILED', failure('getaddrinfo ENOTFOUND erp.example', 'ENOTFOUND')], 'network'],
  ['fetch', ['FAILED', failure('fetch failed')], 'network'],
  ['a gateway', ['FAILED', failure('The server answered with status 503.')], 'network'],
  ['a file that may not be read', ['FAILED', failure("EACCES: permission denied, open 'x'", 'EACCES')], 'permission'],
  ['401', ['FAILED', failure('Request failed with status code 401')], 'permission'],
  ['403', ['FAILED', failure('Forbidden')], 'permission'],
  ['4010 of something', ['FAILED', failure('There were 4010 rows.')], 'unknown'],
  ['a payload of another shape', ['FAILED', failure('month: expected text', 'payload.invalid')], 'validation'],
  ['a schema', ['FAILED', { name: 'ZodError', message: '[]' }], 'validation'],
  ['a doubled row', ['FAILED', failure('duplicate key value violates unique constraint', '23505')], 'validation'],
  ['a crash', ['FAILED', failure('The thread ended with exit code 1.', 'isolate.crashed')], 'crash'],
  ['no memory', ['FAILED', failure('JavaScript heap out of memory')], 'crash'],
  ['a node that died', ['FAILED', failure('The node that ran it stopped renewing its lease.')], 'lost'],
  ['what cannot be read', ['FAILED', failure('…', 'payload_undecryptable')], 'undecryptable'],
  ['anything else', ['FAILED', failure('No such month.')], 'unknown'],
  ['nothing', ['FAILED', null], 'unknown'],
])('%s', (_what, [status, error], expected) => {
  expect(errorClassOf(status, error)).toBe(expected)
})

function failure(message: string, code?: string) {
  return { name: 'Error', message, ...(code === undefined ? {} : { code }) }
}
