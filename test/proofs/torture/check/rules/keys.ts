import type { Request } from '../evidence.ts'
import { grouped } from '../grouped.ts'
import type { Rule } from '../rule.ts'

/** I9: the same key of a tenant and job type is one execution, whatever answers were lost; with another input it is refused. */
export const ONE_KEY: Rule = {
  invariant: 'I9',
  what: 'idempotency keys, each of at most one execution',
  check({ requests, tables }, { saw, require }) {
    const keyed = requests.filter(({ asked }) => asked.verb.startsWith('enqueue') && asked.idempotencyKey !== undefined)
    const byPayload = grouped(
      tables.executions,
      ({ tenant, jobType, payload }) => `${tenant} ${jobType} ${keyIn(payload)}`,
    )
    const byColumn = grouped(
      tables.executions.filter(({ idempotencyKey }) => idempotencyKey !== null),
      ({ tenant, jobType, idempotencyKey }) => `${tenant} ${jobType} ${idempotencyKey}`,
    )
    for (const [key, same] of grouped(keyed, nameOf)) {
      saw()
      const accepted = same.filter(({ answered }) => answered?.outcome === 'accepted')
      const made = [...(byPayload.get(key) ?? []), ...(byColumn.get(key) ?? [])].map(({ id }) => id)
      const ids = new Set([...made, ...accepted.flatMap(({ answered }) => answered?.subject ?? [])])
      require(ids.size <= 1, () => `the key ${key} stands for ${ids.size} executions`, () => [...ids, ...same])
      const inputs = new Set(accepted.map(({ asked }) => JSON.stringify(asked.input)))
      require(inputs.size <= 1, () => `the key ${key} was accepted with ${inputs.size} inputs`, () => same)
    }
  },
}

function nameOf({ asked }: Request): string {
  return `${asked.tenant} ${asked.subject} ${asked.idempotencyKey}`
}

/** Clients write the key into what they send, too. */
function keyIn(payload: string | null): string | null {
  if (payload === null) return null
  try {
    const { key } = (JSON.parse(payload) ?? {}) as { key?: unknown }
    return typeof key === 'string' ? key : null
  } catch {
    return null
  }
}
