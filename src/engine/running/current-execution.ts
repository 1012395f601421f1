import { AsyncLocalStorage } from 'node:async_hooks'
import process from 'node:process'
import type { JobContext } from '../../job/type/job-type.ts'

type Storage = AsyncLocalStorage<JobContext | undefined>

/**
 * One for the process, however many copies of this module there are: the program of an isolate and a bundled handler each have their own.
 */
const KEY: unique symbol = Symbol.for('pontual.current-execution') as never
const shared = process as { [KEY]?: Storage }
const storage: Storage = shared[KEY] ?? new AsyncLocalStorage()
shared[KEY] = storage

/** What runs here: the context of the handler that called, however deep; undefined outside of any. */
export function currentExecution(): JobContext | undefined {
  return storage.getStore()
}

export function runAs<Given extends unknown[], Result>(
  context: JobContext,
  run: (...given: Given) => Result,
  ...given: Given
): Result {
  return storage.run(context, run, ...given)
}

/** For what is done on behalf of several. */
export function runAsNobody<Result>(run: () => Result): Result {
  return storage.run(undefined, run)
}
