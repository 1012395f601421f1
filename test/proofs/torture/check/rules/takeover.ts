import { storyOf } from '../claims.ts'
import type { Evidence } from '../evidence.ts'
import { grouped } from '../grouped.ts'
import type { Claimed } from '../rows.ts'
import type { Rule } from '../rule.ts'

const SPARE_MS = 5_000

/** A stretch of time by the clock on the wall. */
interface Stretch {
  readonly from: number
  readonly to: number
}

/** I10: what a dead node held is with others within the lease and five seconds, counted from when somebody could take it. */
export const TAKEN_OVER: Rule = {
  invariant: 'I10',
  what: 'executions whose node was killed, each taken from it in time',
  measures: {
    what: 'until what a killed node held could be claimed again, where server and others were there, at worst',
    atMost: ({ world }) => world.leaseMs + SPARE_MS,
  },
  check(evidence, { saw, require, measured }) {
    const leftAt = new Map<string, number>()
    for (const change of evidence.tables.changes) {
      if (change.kind === 'left') leftAt.set(`${change.executionId} ${change.epoch}`, change.at)
    }
    const claims = grouped(
      evidence.tables.changes.filter((change): change is Claimed => change.kind === 'claimed'),
      ({ nodeId }) => evidence.nodeNames.get(nodeId) ?? '',
    )
    const boundMs = evidence.world.leaseMs + SPARE_MS
    const hopeless = [...faultyStretches(evidence), ...lonelyStretches(evidence)]
    for (const { node, diedAt } of deathsIn(evidence)) {
      for (const claim of claims.get(node) ?? []) {
        const until = leftAt.get(`${claim.executionId} ${claim.epoch}`)
        if (claim.at > diedAt || until === undefined || until <= diedAt) continue
        saw()
        const met = hopeless.filter(({ from, to }) => from < until && to > diedAt)
        const possibleAt = met.reduce((latest, { to }) => Math.max(latest, to), diedAt)
        if (met.length === 0) measured(until - diedAt)
        require(until - possibleAt <= boundMs, () =>
          `${claim.executionId} was with ${node} for ${Math.round(until - diedAt)} ms after it was killed, and could have been taken for ${Math.round(until - possibleAt)}`, () => [
          ...met,
          claim,
          ...strikesAround(evidence, diedAt, until),
          ...storyOf(evidence, claim.executionId),
        ])
      }
    }
  },
}

function strikesAround({ strikes, wall }: Evidence, from: number, to: number): unknown[] {
  return strikes.filter(({ at }) => wall(at) >= from - SPARE_MS && wall(at) <= to).slice(0, 15)
}

interface ProcessEvent {
  readonly node: string
  readonly how: string
  readonly at: number
}

function processEvents({ strikes, wall }: Evidence): ProcessEvent[] {
  return strikes.flatMap(({ fault, detail, at }) => {
    const { node, how } = (detail ?? {}) as { node?: string; how?: string }
    return fault === 'process' && node !== undefined && how !== undefined ? [{ node, how, at: wall(at) }] : []
  })
}

/** The first that is told of each: who is killed is seen to die as well. */
function deathsIn(evidence: Evidence): { readonly node: string; readonly diedAt: number }[] {
  const died = new Map<string, number>()
  for (const { node, how, at } of processEvents(evidence)) {
    if ((how === 'killed' || how === 'died') && !died.has(node)) died.set(node, at)
  }
  return [...died].map(([node, diedAt]) => ({ node, diedAt }))
}

/** While a fault lies on the server, or on the wires to it. */
function faultyStretches({ strikes, wall }: Evidence): Stretch[] {
  return strikes.flatMap((strike) => {
    if (strike.phase !== 'begun' || UNNOTICED_BY_OTHERS.has(strike.fault)) return []
    const healed = strikes.find(
      ({ fault, phase, at }) => fault === strike.fault && phase === 'healed' && at >= strike.at,
    )
    return [{ from: wall(strike.at), to: healed ? wall(healed.at) : Number.POSITIVE_INFINITY }]
  })
}

const UNNOTICED_BY_OTHERS = new Set([
  'process',
  'healing',
  'nodes killed',
  'nodes stopped past their lease',
  'listeners lost',
])

/** While no node is up: each is dead, stopped, or has not come so far. */
function lonelyStretches(evidence: Evidence): Stretch[] {
  const joined = evidence.tables.changes.flatMap((change) =>
    change.kind === 'joined' ? [{ node: change.detail.name, how: 'joined', at: change.at }] : [],
  )
  const up = new Set<string>()
  const gone = new Set<string>()
  const stretches: Stretch[] = []
  let lonelySince = Number.NEGATIVE_INFINITY
  for (const { node, how, at } of [...joined, ...processEvents(evidence)].toSorted((a, b) => a.at - b.at)) {
    const wasLonely = up.size === 0
    const isComing = how === 'joined' || how === 'continued'
    if (isComing && !gone.has(node)) up.add(node)
    if (!isComing) up.delete(node)
    if (!isComing && how !== 'stopped') gone.add(node)
    if (wasLonely && up.size > 0) stretches.push({ from: lonelySince, to: at })
    if (!wasLonely && up.size === 0) lonelySince = at
  }
  return up.size === 0 ? [...stretches, { from: lonelySince, to: Number.POSITIVE_INFINITY }] : stretches
}
