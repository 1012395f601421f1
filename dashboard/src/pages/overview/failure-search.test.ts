import { expect, it } from 'vitest'
import { failureSearch } from './failure-search.ts'

it.each([
  ['connection refused', 'status:failed,timeout "connection refused"'],
  ['invoice … of … could not be read', 'status:failed,timeout "could not be read"'],
  ['no file "a:b" in the folder', 'status:failed,timeout "in the folder"'],
  ['status:failed', 'status:failed,timeout "status:failed"'],
  ['first line\nthe second one', 'status:failed,timeout "the second one"'],
  ['…', 'status:failed,timeout'],
  ['', 'status:failed,timeout'],
  ['x'.repeat(500), `status:failed,timeout "${'x'.repeat(120)}"`],
])('%j is searched for as %j', (message, search) => {
  expect(failureSearch(message)).toBe(search)
})
