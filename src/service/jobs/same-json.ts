import { isSamePayload } from '../../job/execution/payload.ts'

/** Whether two values are the same on the wire, whatever the order of their fields. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return isSamePayload(JSON.stringify(a ?? null), JSON.stringify(b ?? null))
}
