import { claimBehind, claimsOf, storyOf } from '../claims.ts'
import type { Evidence } from '../evidence.ts'
import type { Claimed } from '../rows.ts'
import type { Findings, Rule } from '../rule.ts'

/** I5: one holder at a time, and an epoch that grows with every claim. */
export const ONE_HOLDER: Rule = {
  invariant: 'I5',
  what: 'claims, each by the only holder and in a later epoch',
  check(evidence, { saw, require }) {
    for (const [id, changes] of evidence.changesOf) {
      let held: number | null = null
      let last = 0
      for (const { kind, epoch } of changes.filter((change) => change.kind === 'claimed' || change.kind === 'left')) {
        if (kind === 'left') {
          held = null
          continue
        }
        saw()
        const [before, former] = [held, last]
        require(before === null, () => `${id} is claimed in epoch ${epoch} while somebody holds it`, () =>
          storyOf(evidence, id))
        require(epoch > former, () => `${id} is claimed in epoch ${epoch} after ${former}`, () => storyOf(evidence, id))
        held = epoch
        last = epoch
      }
    }
  },
}

/** I6: what is recorded of an execution was written by who held it. Effects of somebody who had lost it may be there; a record of them may not. */
export const NO_LATE_WORD: Rule = {
  invariant: 'I6',
  what: 'ends, failures and records of activities, each by who held the execution',
  check(evidence, findings) {
    requireLastHolder(evidence, findings)
    requireAuthors(evidence, findings)
    requireRecorders(evidence, findings)
  },
}

/** I6: who has lost an execution may do all that it does, to the end; that leaves no trace. */
export const LATE_ENDS: Rule = {
  invariant: 'I6',
  what: 'handlers that went on to their end after they had lost their execution, none of which left a record',
  check(evidence, { saw, require }) {
    for (const effect of evidence.effects) {
      const [end] = evidence.ends.get(effect.executionId) ?? []
      if (effect.effect !== 'ended' || !end || evidence.executions.get(effect.executionId)?.isDurable) continue
      const claim = claimBehind(evidence, effect)
      if (claim?.epoch === end.epoch && end.isReported) continue
      saw()
      const signed = signatureOf(end.output, end.error)
      require(signed?.by !== effect.by || signed.attempt !== effect.attempt, () =>
        `${effect.executionId} ended as ${effect.by} says, who had lost it`, () =>
        storyOf(evidence, effect.executionId))
    }
  },
}

/** Whoever ends it is the last who claimed it, also where somebody ends it over his head. */
function requireLastHolder(evidence: Evidence, { require }: Findings): void {
  for (const [id, [end]] of evidence.ends) {
    const last = claimsOf(evidence, id).at(-1)?.epoch ?? 0
    require(end?.epoch === last, () => `${id} ended in epoch ${end?.epoch}, and was claimed in ${last}`, () =>
      storyOf(evidence, id))
  }
}

/** Handlers sign what they return, and what they throw. */
function requireAuthors(evidence: Evidence, { saw, require }: Findings): void {
  const { tables, nodeNames } = evidence
  const claims = new Map<string, Claimed>()
  for (const change of tables.changes) {
    if (change.kind === 'claimed') claims.set(`${change.executionId} ${change.epoch}`, change)
  }
  for (const row of [...tables.results, ...tables.attempts]) {
    const signed = signatureOf('output' in row ? row.output : null, row.error)
    if (!signed) continue
    saw()
    const claim = claims.get(`${row.executionId} ${row.epoch}`)
    const holder = claim && nodeNames.get(claim.nodeId)
    require(signed.by === holder && signed.attempt === claim?.detail.attempt, () =>
      `what ${row.executionId} left in epoch ${row.epoch} is by ${signed.by} in attempt ${signed.attempt}, and held by ${holder ?? 'nobody'} in attempt ${claim?.detail.attempt}`, () => [
      row,
      ...storyOf(evidence, row.executionId),
    ])
  }
}

/** Of durable ones each write names its epoch, and happens while that one is held. */
function requireRecorders(evidence: Evidence, { saw, require }: Findings): void {
  const performers = new Map<string, string>()
  for (const { effect, detail, by } of evidence.effects) {
    const { mark } = (detail ?? {}) as { mark?: unknown }
    if (effect === 'performed' && typeof mark === 'string') performers.set(mark, by)
  }
  for (const [id, changes] of evidence.changesOf) {
    let held: Claimed | null = null
    for (const change of changes) {
      if (change.kind === 'claimed') held = change
      if (change.kind === 'left') held = null
      if (change.kind !== 'recorded') continue
      saw()
      const holder = held
      require(holder?.epoch === change.epoch, () =>
        `"${change.detail.name}" of ${id} is recorded in epoch ${change.epoch}, and held in ${holder?.epoch ?? 'none'}`, () =>
        storyOf(evidence, id))
      const performer = performers.get(markOf(change.detail.output) ?? '')
      require(performer === undefined || holder === null || performer === evidence.nodeNames.get(holder.nodeId), () =>
        `"${change.detail.name}" of ${id} is recorded as ${performer} performed it, who does not hold it`, () =>
        storyOf(evidence, id))
    }
  }
}

/** What an activity has given back: its mark. */
function markOf(output: string | null): string | null {
  if (output === null) return null
  try {
    const value: unknown = JSON.parse(output)
    return typeof value === 'string' ? value : null
  } catch {
    return null
  }
}

interface Signature {
  readonly by: string
  readonly attempt: number
}

function signatureOf(output: string | null, error: string | null): Signature | null {
  if (output !== null) {
    const { by, attempt } = (parse(output) ?? {}) as Partial<Signature>
    return typeof by === 'string' && typeof attempt === 'number' ? { by, attempt } : null
  }
  const { message } = ((error === null ? null : parse(error)) ?? {}) as { message?: unknown }
  const [, by, attempt] = / \[(\S+) (\d+)\]$/.exec(typeof message === 'string' ? message : '') ?? []
  return by === undefined ? null : { by, attempt: Number(attempt) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
