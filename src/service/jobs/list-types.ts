import { requirePermission } from '../../access/principal.ts'
import type { AnyJobType } from '../../job/job-type.ts'
import type { JobTypeView } from '../job-knowledge.ts'
import { isReservedType, type Scope } from '../scope.ts'
import { inputSchemaOf } from './input-schema.ts'

/** The job types that the application has, that other nodes have, and that jobs of the tenant name, in the order of their ids. */
export async function listJobTypes(scope: Scope): Promise<{ items: JobTypeView[] }> {
  requirePermission(scope.principal, 'jobs:read')
  const { tenant, store, opened } = scope
  const { types } = opened.options
  const [counted, nodes] = await Promise.all([store.jobs.countTypes(tenant), opened.store.nodes.list()])
  const counts = new Map(counted.map(({ jobType, count }) => [jobType, count]))
  const elsewhere = new Set(nodes.filter(({ isAlive }) => isAlive).flatMap(({ jobTypes }) => jobTypes))
  const ids = [...new Set([...types.keys(), ...elsewhere, ...counts.keys()])]
    .filter((id) => counts.has(id) || !isReservedType(scope, id))
    .toSorted(byCodeUnit)
  const items = ids.map((id) => ({ ...viewOfType(id, types.get(id), elsewhere), jobCount: counts.get(id) ?? 0 }))
  return { items }
}

function viewOfType(
  id: string,
  type: AnyJobType | undefined,
  elsewhere: ReadonlySet<string>,
): Omit<JobTypeView, 'jobCount'> {
  if (!type) {
    return { id, isKnown: elsewhere.has(id), isDurable: null, isSensitive: null, queue: null, inputSchema: null }
  }
  const { isDurable, isSensitive, queue, schema } = type
  return { id, isKnown: true, isDurable, isSensitive, queue, inputSchema: inputSchemaOf(schema) }
}

function byCodeUnit(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}
