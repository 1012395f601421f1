import { claimsOf, storyOf } from '../claims.ts'
import type { Rule } from '../rule.ts'

/** Instants of lines and of the database are of one machine, and are rounded. */
const ROUNDED_MS = 2

/** I21: after a cancel that was acknowledged nothing begins, and no success is recorded. */
export const CALLED_OFF: Rule = {
  invariant: 'I21',
  what: 'cancels that were acknowledged, nothing claimed after them and each CANCELLED',
  check(evidence, { saw, require }) {
    for (const request of evidence.requests) {
      const { asked, answered } = request
      const { result } = (answered?.detail ?? {}) as { result?: string }
      if (asked.verb !== 'cancel' || answered?.outcome !== 'accepted' || asked.subject === undefined) continue
      if (result !== 'cancelled' && result !== 'cancelling') continue
      saw()
      const id = asked.subject
      const [end] = evidence.ends.get(id) ?? []
      const shown = () => [request, ...storyOf(evidence, id)]
      require(end === undefined || end.status === 'CANCELLED', () =>
        `${id} was cancelled, and ended as ${end?.status}`, shown)
      // One that is durable goes on until it has cleaned up.
      if (result === 'cancelling') continue
      const late = claimsOf(evidence, id).filter(({ at }) => at > evidence.wall(answered.at) + ROUNDED_MS)
      require(late.length === 0, () => `${id} is claimed after it was cancelled`, shown)
    }
  },
}
