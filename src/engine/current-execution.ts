import { AsyncLocalStorage } from 'node:async_hooks'
import type { JobContext } from '../job/job-type.ts'

const storage = new AsyncLocalStorage<JobContext>()

/** What runs here: the context of the handler that called, however deep; undefined outside of any. */
export function currentExecution(): JobContext | undefined {
  return storage.getStore()
}

export function runAs<Result>(context: JobContext, run: () => Result): Result {
  return storage.run(context, run)
}
