import { parseDuration } from '../../duration.ts'
import { InvalidInputError, quote } from '../../errors.ts'
import { instantOf } from '../../time/instant.ts'
import { searchRefusal, type Tokens } from './read-tokens.ts'

/** From an instant on, up to another one that is not part of it. */
export interface Range {
  readonly from?: number | undefined
  readonly until?: number | undefined
}

const DATE = /^\d{4}-\d{2}-\d{2}$/
const ACCEPTED =
  'a duration such as 2d, 12h or 30m, a date such as 2026-01-31, or an instant such as 2026-01-31T09:00:00Z'

/** What `after:` and `before:` say: where there are several, the widest range of them. */
export function readRange(tokens: Tokens<'after' | 'before'>, now: number): Range {
  const instants = (key: 'after' | 'before') => tokens.of(key)?.map((value) => readInstant(key, value, now))
  const [from, until] = [instants('after'), instants('before')]
  return {
    ...(from && { from: Math.min(...from) }),
    ...(until && { until: Math.max(...until) }),
  }
}

/** The part that two ranges have in common. */
export function withinBoth(one: Range, other: Range): Range {
  const from = [one.from, other.from].filter((instant) => instant !== undefined)
  const until = [one.until, other.until].filter((instant) => instant !== undefined)
  return {
    ...(from.length > 0 && { from: Math.max(...from) }),
    ...(until.length > 0 && { until: Math.min(...until) }),
  }
}

/** Nothing was created before 1970. A day begins as it does in UTC. */
function readInstant(key: string, value: string, now: number): number {
  try {
    if (DATE.test(value)) return Math.max(0, instantOf(`${value}T00:00:00Z`, key))
    if (/t/i.test(value)) return Math.max(0, instantOf(value.toUpperCase(), key))
    return Math.max(0, now - parseDuration(value, key))
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    const message = `${key}: must be ${ACCEPTED}, got ${quote(value)}. What stands in quotes is looked for as text.`
    throw searchRefusal(message, { case: 'instant', key, received: value })
  }
}
