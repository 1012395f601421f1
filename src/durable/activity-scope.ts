import { AsyncLocalStorage } from 'node:async_hooks'

const scope = new AsyncLocalStorage<string>()

/** The id of the activity that called, however deep; undefined outside of any. */
export function insideActivity(): string | undefined {
  return scope.getStore()
}

export function asActivity<Result>(id: string, perform: () => Result): Result {
  return scope.run(id, perform)
}
