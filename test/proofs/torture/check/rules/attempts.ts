import { claimsOf, storyOf } from '../claims.ts'
import type { Rule } from '../rule.ts'

/** I12: never more attempts than there may be, and what kills its process has exactly as many. */
export const COUNTED_ATTEMPTS: Rule = {
  invariant: 'I12',
  what: 'executions, none with more attempts than it may have',
  check(evidence, { saw, require }) {
    const { tables, effectsOf, attemptsOf } = evidence
    for (const { id, maxAttempts, isDurable } of tables.executions) {
      if (isDurable) continue
      saw()
      const claimed = Math.max(0, ...claimsOf(evidence, id).map(({ detail }) => detail.attempt))
      const begun = Math.max(0, ...(effectsOf.get(id) ?? []).map(({ attempt }) => attempt))
      const count = Math.max(claimed, begun, attemptsOf.get(id)?.length ?? 0)
      require(count <= maxAttempts, () => `${id} has ${count} attempts, and may have ${maxAttempts}`, () =>
        storyOf(evidence, id))
    }
  },
}

export const POISON: Rule = {
  invariant: 'I12',
  what: 'executions that kill their process, each with all its attempts and no more',
  check(evidence, { saw, require }) {
    const poisons = new Set(evidence.world.jobTypes.filter(({ isPoison }) => isPoison).map(({ id }) => id))
    for (const { id, jobType, maxAttempts } of evidence.tables.executions) {
      const [end] = evidence.ends.get(id) ?? []
      if (!poisons.has(jobType) || !end || end.status === 'CANCELLED') continue
      saw()
      const lost = (evidence.attemptsOf.get(id) ?? []).filter(({ status }) => status === 'LOST').length
      require(end.status === 'FAILED' && end.attempt === maxAttempts && lost === maxAttempts, () =>
        `${id} kills its process; it ended ${end.status} in attempt ${end.attempt}, with ${lost} lost of ${maxAttempts}`, () =>
        storyOf(evidence, id))
    }
  },
}
