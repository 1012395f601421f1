import { claimBehind, storyOf } from '../claims.ts'
import type { Evidence } from '../evidence.ts'
import { grouped } from '../grouped.ts'
import type { Recorded } from '../rows.ts'
import type { Findings, Rule } from '../rule.ts'

/** Between the instant that the server writes down and the one at which it is committed, and known. */
const COMMIT_MS = 1_000

/** I13: an activity whose result is on record is never performed again. One who has lost the run and does not know it yet may: his claim is older than the record. */
export const PERFORMED_ONCE: Rule = {
  invariant: 'I13',
  what: 'activities of durable executions, none performed again once it was on record',
  check(evidence, { saw, require }) {
    const recorded = recordsOf(evidence, 'activity')
    for (const effect of evidence.effects) {
      if (effect.effect !== 'performed') continue
      saw()
      const record = recorded.get(`${effect.executionId} ${effect.name}`)
      if (!record) continue
      const claim = claimBehind(evidence, effect)
      const isAgain =
        claim !== null &&
        (claim.epoch > record.epoch ||
          (claim.epoch === record.epoch && evidence.wall(effect.at) > record.at + COMMIT_MS))
      require(!isAgain, () =>
        `"${effect.name}" of ${effect.executionId} is performed in epoch ${claim?.epoch}, and is on record since epoch ${record.epoch}`, () =>
        storyOf(evidence, effect.executionId))
    }
  },
}

/** I13: what a transaction has written is there once, with its record. */
export const BOOKED_ONCE: Rule = {
  invariant: 'I13',
  what: 'transactions of durable executions, each with one row and one record',
  check(evidence, { saw, require }) {
    const booked = grouped(evidence.tables.bookings, ({ executionId }) => executionId)
    const records = recordsOf(evidence, 'transaction')
    for (const [id, entries] of evidence.historyOf) {
      const entry = entries.find(({ kind, status }) => kind === 'transaction' && status === 'COMPLETED')
      const rows = booked.get(id) ?? []
      if (!entry && rows.length === 0) continue
      saw()
      require(rows.length === (entry ? 1 : 0), () =>
        `a transaction of ${id} has written ${rows.length} rows, and has ${entry ? 'a' : 'no'} record`, () => [
        ...rows,
        ...(entry ? [entry] : []),
        records.get(`${id} ${entry?.name}`),
        ...storyOf(evidence, id),
      ])
    }
    for (const [id, rows] of booked) {
      require(evidence.historyOf.has(id), () => `${id} has written ${rows.length} rows, and has no history`, () => rows)
    }
  },
}

/** I14: the same code fits its history, and is told the same each time; its output is what is on record. */
export const REPLAYED_ALIKE: Rule = {
  invariant: 'I14',
  what: 'durable executions, each told the same whenever it was replayed',
  check(evidence, findings) {
    const { saw, require } = findings
    for (const [id, entries] of evidence.historyOf) {
      saw()
      const diverged = (evidence.changesOf.get(id) ?? []).filter(
        (change) => change.kind === 'delayed' && change.detail.isDiverged,
      )
      require(diverged.length === 0, () => `${id} is DIVERGED, its code the same`, () => [...entries, ...diverged])
      requireSame(evidence, id, findings)
      const [end] = evidence.ends.get(id) ?? []
      if (end?.status !== 'SUCCESS' || end.output === null) continue
      const { marks = {} } = JSON.parse(end.output) as { marks?: Readonly<Record<string, string>> }
      for (const [name, mark] of Object.entries(marks)) {
        const entry = entries.find((each) => each.name === name && each.status === 'COMPLETED')
        require(entry?.output === JSON.stringify(mark), () =>
          `${id} ended with ${mark} of "${name}", and ${entry?.output ?? 'nothing'} is on record`, () => [
          end,
          ...entries,
        ])
      }
    }
  },
}

function requireSame(evidence: Evidence, id: string, { require }: Findings): void {
  const told = (evidence.effectsOf.get(id) ?? []).filter(({ effect }) => effect === 'heard' || effect === 'woke')
  for (const [name, effects] of grouped(told, ({ effect, name: which }) => `${effect} ${which}`)) {
    const different = new Set(effects.map(({ detail, dueAt }) => JSON.stringify([detail, dueAt])))
    require(different.size === 1, () => `${id} was told ${different.size} things as "${name}"`, () => effects)
  }
}

/** What was settled first, by execution and name. */
function recordsOf({ tables }: Evidence, kind: string): Map<string, Recorded> {
  const records = new Map<string, Recorded>()
  for (const change of tables.changes) {
    if (change.kind !== 'recorded' || change.detail.kind !== kind || change.detail.status !== 'COMPLETED') continue
    const key = `${change.executionId} ${change.detail.name}`
    if (!records.has(key)) records.set(key, change)
  }
  return records
}
