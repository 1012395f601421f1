import { withinSteps } from '../time/search.ts'
import { FieldRefusal } from './field-problems.ts'

/** A tenth of a second at most: what one tenant's rules may cost everybody who waits beside it. */
const MOST_STEPS = 100_000
const MAX_RULE_LENGTH = 65_536

/** Works out when something of a tenant's fires; throws where that takes too long. */
export function searched<Result>(search: () => Result, steps = MOST_STEPS): Result {
  return withinSteps(steps, search)
}

/** Refuses a trigger or a calendar that is long before anything is made of it. */
export function requireShortRule(json: unknown, name: string): void {
  const { length } = JSON.stringify(json) ?? ''
  if (length <= MAX_RULE_LENGTH) return
  const message = `${name} must have at most ${MAX_RULE_LENGTH} characters as JSON, got ${length}.`
  throw new FieldRefusal('length_invalid', message, { case: 'json', name, max: MAX_RULE_LENGTH, length })
}
