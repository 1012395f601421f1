import type { Rule } from '../rule.ts'

/** Clocks of nodes are wrong by much more. */
const PATIENCE_MS = 30_000

/** I23: whatever the clock of a node says, nothing is fired before its time, and nothing is dated by it. */
export const CLOCKS_DO_NOT_MATTER: Rule = {
  invariant: 'I23',
  what: 'instants that are on record, none by the clock of a node that is wrong',
  check({ tables, wall, effects, requests, samples }, { saw, require }) {
    for (const occurrence of tables.occurrences) {
      saw()
      const { jobId, scheduledAt, recordedAt } = occurrence
      require(recordedAt >= scheduledAt, () =>
        `${jobId} was fired ${scheduledAt - recordedAt} ms before ${scheduledAt}`, () => [occurrence])
    }
    const lines = [
      effects.map(({ at }) => at),
      requests.map(({ asked }) => asked.at),
      samples.map(({ at }) => at),
    ].flat()
    if (lines.length === 0) return
    const from = wall(lines.reduce((least, at) => Math.min(least, at))) - PATIENCE_MS
    const to = wall(lines.reduce((most, at) => Math.max(most, at))) + PATIENCE_MS
    const dated = [
      ...tables.executions.map((row) => ({ row, at: row.createdAt })),
      ...tables.results.flatMap((row) =>
        [row.startedAt, row.finishedAt].flatMap((at) => (at === null ? [] : { row, at })),
      ),
      ...tables.attempts.map((row) => ({ row, at: row.startedAt })),
      ...tables.audit.map((row) => ({ row, at: row.at })),
    ]
    for (const { row, at } of dated) {
      saw()
      require(at >= from && at <= to, () => `a row is of ${new Date(at).toISOString()}, when nothing happened`, () => [
        row,
      ])
    }
  },
}
