import { storyOf } from '../claims.ts'
import type { Rule } from '../rule.ts'

/** Instants of lines and of the database are of one machine, and are rounded. */
const ROUNDED_MS = 2

/** I15: a durable sleep is never over early, by the clock of the machine and by that of the server. */
export const NEVER_EARLY: Rule = {
  invariant: 'I15',
  what: 'sleeps of durable executions, none over before its time',
  check(evidence, { saw, require }) {
    for (const effect of evidence.effects) {
      if (effect.effect !== 'woke' || effect.dueAt === undefined) continue
      saw()
      const earlyMs = effect.dueAt - evidence.wall(effect.at)
      require(earlyMs <= ROUNDED_MS, () => `${effect.executionId} woke ${Math.round(earlyMs)} ms early`, () => [
        effect,
        ...storyOf(evidence, effect.executionId),
      ])
    }
    for (const change of evidence.tables.changes) {
      if (change.kind !== 'recorded' || change.detail.kind !== 'timer' || change.detail.status !== 'COMPLETED') continue
      const earlyMs = (change.detail.dueAt ?? change.at) - change.at
      require(earlyMs <= ROUNDED_MS, () =>
        `a timer of ${change.executionId} is over ${Math.round(earlyMs)} ms early`, () => [change])
    }
  },
}
