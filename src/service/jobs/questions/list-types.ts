import { requirePermission } from '../../../access/principal.ts'
import type { JobTypeView } from '../../job-knowledge.ts'
import { isReservedType, type Scope } from '../../scope.ts'
import { enqueuedTypeOf, type KnownType } from '../fields/job-type.ts'
import { inputSchemaOf } from './input-schema.ts'

/** The job types that the application has, that other nodes have, and that jobs of the tenant name, in the order of their ids. */
export async function listJobTypes(scope: Scope): Promise<{ items: JobTypeView[] }> {
  requirePermission(scope.principal, 'jobs:read')
  const { tenant, store, engineStore, opened } = scope
  const { types } = opened.options
  const [counted, nodes] = await Promise.all([store.jobs.countTypes(tenant), engineStore.nodes.declarations()])
  const counts = new Map(counted.map(({ jobType, count }) => [jobType, count]))
  const elsewhere = new Set(nodes.flatMap(({ jobTypes }) => jobTypes))
  const ids = [...new Set([...types.keys(), ...elsewhere, ...counts.keys()])]
    .filter((id) => counts.has(id) || !isReservedType(scope, id))
    .toSorted(byCodeUnit)
  const items = ids.map((id) => {
    const known = { id, type: types.get(id) ?? null, nodes: nodes.filter(({ jobTypes }) => jobTypes.includes(id)) }
    return { ...viewOfType(known), jobCount: counts.get(id) ?? 0 }
  })
  return { items }
}

function viewOfType(known: KnownType): Omit<JobTypeView, 'jobCount'> {
  const { id, type, nodes } = known
  const common = { id, isKnown: type !== null || nodes.length > 0, isEnqueueable: enqueuedTypeOf(known) !== null }
  if (type === null) return { ...common, isDurable: null, isSensitive: null, queue: null, inputSchema: null }
  const { isDurable, isSensitive, queue, schema } = type
  return { ...common, isDurable, isSensitive, queue, inputSchema: inputSchemaOf(schema) }
}

function byCodeUnit(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}
