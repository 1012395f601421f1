import { AsyncLocalStorage } from 'node:async_hooks'

/** On whose behalf code runs: an activity of a run, or what cleans up after it. */
interface Scope {
  readonly run: object
  /** null: it cleans up. */
  readonly activity: string | null
}

const scopes = new AsyncLocalStorage<Scope | undefined>()

/**
 * The id of the activity of this run that called, however deep; undefined outside of any. Only of this run: what an activity sets off may well be the beginning of another.
 */
export function insideActivity(run: object): string | undefined {
  const scope = scopes.getStore()
  return scope?.run === run ? (scope.activity ?? undefined) : undefined
}

/** Whether what cleans up after this run called. */
export function insideCleanUp(run: object): boolean {
  const scope = scopes.getStore()
  return scope?.run === run && scope.activity === null
}

export function asActivity<Given, Result>(
  run: object,
  activity: string,
  perform: (given: Given) => Result,
  given: Given,
): Result {
  return scopes.run({ run, activity }, perform, given)
}

export function asCleanUp<Result>(run: object, perform: () => Result): Result {
  return scopes.run({ run, activity: null }, perform)
}

/** For what is set off by an activity, and is no part of it. */
export function outsideActivity<Result>(perform: () => Result): Result {
  return scopes.run(undefined, perform)
}
