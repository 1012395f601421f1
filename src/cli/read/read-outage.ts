import { parseDuration } from '../../duration.ts'
import { InvalidInputError, quote } from '../../errors.ts'
import { instantOf } from '../../time/instant.ts'

/** From when until when nothing fires. */
export interface Outage {
  readonly from: number
  readonly to: number
}

/** Two instants with a slash between them, or a duration that ends now. */
export function readOutage(text: string, now: number): Outage {
  const [from, to, ...rest] = text.split('/')
  if (from !== undefined && to !== undefined && rest.length === 0) {
    return { from: instantOf(from, '--outage (from)'), to: instantOf(to, '--outage (to)') }
  }
  try {
    return { from: instantOf(now - parseDuration(text, '--outage'), '--outage'), to: now }
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    const message = `--outage must be two instants with a slash between them, such as "2026-03-02T10:00:00Z/2026-03-02T12:00:00Z", or a duration that ends now, such as 2h, got ${quote(text)}.`
    throw new InvalidInputError('simulation.invalid', message, { received: text })
  }
}
