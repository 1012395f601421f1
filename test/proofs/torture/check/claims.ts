import type { Effect } from '../history/lines.ts'
import type { Evidence } from './evidence.ts'
import type { ChangeRow, Claimed } from './rows.ts'

/** Processes write down when they begin something a little later than the server lets them, and never earlier than this. */
const CLOCKS_AGREE_MS = 5

/** The claims of an execution, in their order. */
export function claimsOf({ changesOf }: Evidence, executionId: string): Claimed[] {
  return (changesOf.get(executionId) ?? []).filter((change) => change.kind === 'claimed')
}

/** The claim under which user code did something: the last one that its process had before. Null where the process had none. */
export function claimBehind(evidence: Evidence, { executionId, by, at }: Effect): Claimed | null {
  const until = evidence.wall(at) + CLOCKS_AGREE_MS
  const own = claimsOf(evidence, executionId).filter(({ nodeId }) => evidence.nodeNames.get(nodeId) === by)
  return own.findLast((claim) => claim.at <= until) ?? null
}

/** Everything that happened to one execution, for whoever has to understand it: lines and changes by their time, and its end. */
export function storyOf(evidence: Evidence, executionId: string): unknown[] {
  const told: { at: number; what: unknown }[] = [
    ...(evidence.effectsOf.get(executionId) ?? []).map((what) => ({ at: evidence.wall(what.at), what })),
    ...(evidence.changesOf.get(executionId) ?? []).map((what: ChangeRow) => ({ at: what.at, what })),
  ]
  const inOrder = told
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, what }) => ({ wall: Math.round(at), ...(what as object) }))
  return [evidence.executions.get(executionId), ...inOrder, ...(evidence.ends.get(executionId) ?? [])].filter(Boolean)
}
