import { AsyncLocalStorage } from 'node:async_hooks'
import type { JobContext } from '../job/job-type.ts'

const storage = new AsyncLocalStorage<JobContext | undefined>()

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
