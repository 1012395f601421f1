import type { EnqueuedType } from '../../../engine/app/enqueuer.ts'
import type { AnyJobType } from '../../../job/type/job-type.ts'
import type { NodeDeclaration } from '../../../store/nodes.ts'
import type { FieldProblems } from '../../field-problems.ts'
import { isReservedType, type Scope } from '../../scope.ts'
import { requireJobType } from './read-fields.ts'

/** A job type that this process has, or that only other nodes have. */
export interface KnownType {
  readonly id: string
  /** null: only other nodes have it. */
  readonly type: AnyJobType | null
  /** The active nodes that have it; not read if this process has it. */
  readonly nodes: readonly NodeDeclaration[]
}

/** Reads the field `jobType`; an unknown one is noted with the nearest known id, and undefined is returned. */
export async function readKnownType(
  scope: Scope,
  problems: FieldProblems,
  jobType: unknown,
): Promise<KnownType | undefined> {
  const { types } = scope.opened.options
  const nodes = typeof jobType === 'string' && types.has(jobType) ? [] : await scope.engineStore.nodes.declarations()
  const elsewhere = new Set(nodes.flatMap((node) => node.jobTypes))
  const isReserved = (id: string) => isReservedType(scope, id)
  return problems.read('/jobType', 'job_type_unknown', () => {
    const type = requireJobType(jobType, types, elsewhere, isReserved)
    const id = type?.id ?? String(jobType).normalize('NFC')
    return { id, type, nodes: nodes.filter(({ jobTypes }) => jobTypes.includes(id)) }
  })
}

/**
 * The rules that an enqueueable type is enqueued by; null if the code does not declare it enqueueable. If only other nodes have it, each of them has to: during a
 * rolling deploy the stricter declaration applies.
 */
export function enqueuedTypeOf({ id, type, nodes }: KnownType): EnqueuedType | null {
  if (type !== null) return type.isEnqueueable ? type : null
  const declared = nodes.map(({ declares }) => declares?.enqueueable?.find((each) => each.id === id))
  const [first] = declared
  return first && !declared.includes(undefined) ? { ...first, schema: null } : null
}
