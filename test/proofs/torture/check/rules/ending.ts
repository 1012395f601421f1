import { storyOf } from '../claims.ts'
import type { Evidence, Request } from '../evidence.ts'
import type { Rule } from '../rule.ts'

/** I7: an end is final. */
export const ENDED_ONCE: Rule = {
  invariant: 'I7',
  what: 'executions that have ended, each once and for good',
  check(evidence, { saw, require }) {
    const standing = new Set(
      [evidence.tables.ready, evidence.tables.delayed, evidence.tables.leases]
        .flat()
        .map(({ executionId }) => executionId),
    )
    for (const [id, ends] of evidence.ends) {
      saw()
      require(ends.length === 1, () => `${id} has ended ${ends.length} times`, () => storyOf(evidence, id))
      require(!standing.has(id), () => `${id} has ended, and is to run again`, () => storyOf(evidence, id))
    }
    for (const change of evidence.tables.changes) {
      require(change.kind !== 'rewritten', () => 'an end was changed afterwards', () => [change])
    }
  },
}

/** I8: what was acknowledged is there, and has one end. */
export const KEPT: Rule = {
  invariant: 'I8',
  what: 'acknowledged enqueues, each found with one end',
  check(evidence, { saw, require }) {
    for (const request of evidence.requests) {
      const { tenant, subject } = request.asked
      for (const id of acknowledgedBy(request)) {
        saw()
        const execution = evidence.executions.get(id)
        require(execution !== undefined, () => `${id} was acknowledged, and is not there`, () => [request])
        if (!execution) continue
        require(execution.tenant === tenant && (subject === undefined || execution.jobType === subject), () =>
          `${id} was asked for ${tenant} as ${subject}, and is of ${execution.tenant} as ${execution.jobType}`, () => [
          request,
          execution,
        ])
        require(evidence.ends.has(id), () => `${id} was acknowledged, and has no end`, () => [
          request,
          ...storyOf(evidence, id),
        ])
      }
    }
  },
}

/** The executions that an answer has promised. */
export function acknowledgedBy({ asked, answered }: Request): readonly string[] {
  if (asked.verb !== 'enqueue' && asked.verb !== 'enqueueOverHttp') return []
  if (answered?.outcome !== 'accepted') return []
  const { executionIds } = (answered.detail ?? {}) as { executionIds?: readonly string[] }
  return executionIds ?? (answered.subject === undefined ? [] : [answered.subject])
}

/** Once all is well, everything ends, whoever asked for it. */
export const NOTHING_LEFT: Rule = {
  invariant: 'liveness',
  what: 'executions, none of which waits, runs or is forgotten in the end',
  check(evidence, { saw, require }) {
    const acknowledged = new Set(evidence.requests.flatMap(acknowledgedBy))
    for (const { id } of evidence.tables.executions) {
      saw()
      // Those are told by I8.
      if (acknowledged.has(id)) continue
      require(evidence.ends.has(id), () => `${id} has not ended: ${whereIs(evidence, id)}`, () => storyOf(evidence, id))
    }
    const { nodes, ready, delayed } = evidence.tables
    require(nodes.length === 0, () => `${nodes.length} nodes are on the list that are gone`, () => nodes)
    for (const row of [...ready, ...delayed]) {
      const { executionId } = row
      require(evidence.executions.has(executionId), () => `${executionId} waits, and is no execution`, () => [row])
    }
  },
}

function whereIs({ tables }: Evidence, id: string): string {
  const places = (['ready', 'delayed', 'leases'] as const).filter((table) =>
    tables[table].some(({ executionId }) => executionId === id),
  )
  return places.join(', ') || 'nowhere'
}
