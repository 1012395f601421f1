import type { NeededKey } from '../../store/postgres/inspect/keys.ts'
import { fail, type Judgement, ok, some, warn } from './judgement.ts'

export interface RingFacts {
  /** Of the keys that this environment has, the current one first; null where it has none, as on a machine that runs no node. */
  readonly ids: readonly string[] | null
  /** Why it cannot be used; null where it can. */
  readonly refusal: string | null
}

export function judgeKeys(needed: readonly NeededKey[], { ids: ring, refusal }: RingFacts): Judgement {
  if (refusal !== null) return fail(refusal, 'Correct PONTUAL_ENCRYPTION_KEYS: a process that has it does not start.')
  if (needed.length === 0) return ok(ring === null ? 'off' : 'on, and nothing is sealed yet')
  const missing = needed.map(({ id }) => id).filter((id) => !ring?.includes(id))
  const remedy = 'Put the keys into PONTUAL_ENCRYPTION_KEYS: a process that lacks one does not start.'
  if (ring === null) return warn(`What is stored needs ${some(missing)}, and no key is set here.`, remedy)
  if (missing.length > 0) return fail(`What is stored needs ${some(missing)}, which the ring lacks.`, remedy)
  const old = needed.filter(({ id }) => id !== ring[0])
  if (old.length === 0) return ok(`all is wrapped with ${ring[0]}`)
  return warn(
    `${some(old.map(({ id, dataKeys }) => `${id} has wrapped ${dataKeys} data keys`))}.`,
    'Run: npx pontual keys rotate',
  )
}
