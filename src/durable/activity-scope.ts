import { AsyncLocalStorage } from 'node:async_hooks'
import { MisplacedCallError } from './errors.ts'

/** The owner of running code: an activity of a run, or its clean-up. */
interface Scope {
  readonly run: object
  /** null: the clean-up. */
  readonly activity: string | null
}

const scopes = new AsyncLocalStorage<Scope | undefined>()

/** Throws if an activity of this run made the call, however deep. An activity may well start another run, whose calls are its own. */
export function requireOutsideActivity(run: object, verb: string): void {
  const scope = scopes.getStore()
  if (scope?.run !== run || scope.activity === null) return
  const where = `inside activity "${scope.activity}": what an activity does is recorded as one. Call it from the job`
  throw new MisplacedCallError(`ctx.${verb}`, where)
}

/** True if the clean-up of this run made the call. */
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

/** For work that an activity triggers but that is not part of it. */
export function outsideActivity<Result>(perform: () => Result): Result {
  return scopes.run(undefined, perform)
}
