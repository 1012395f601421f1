import { isSamePayload } from '../../job/execution/payload.ts'
import type { JobDefinition } from '../../job/job.ts'

/** Field by field: the order in which a store keeps them says nothing. */
export function isSameDefinition(a: JobDefinition, b: JobDefinition): boolean {
  return isSamePayload(JSON.stringify(a), JSON.stringify(b))
}

/** Whether both are due at the same times. */
export function isSameTiming(a: JobDefinition, b: JobDefinition): boolean {
  return a.calendar === b.calendar && isSamePayload(JSON.stringify(a.trigger), JSON.stringify(b.trigger))
}
