import { FINAL_STATUSES } from '../../../../src/job/execution/execution.ts'
import type { ExecutionStatus } from '../../api/wire.ts'

const ENDED: ReadonlySet<ExecutionStatus> = new Set(FINAL_STATUSES)

export function isEnded(status: ExecutionStatus): boolean {
  return ENDED.has(status)
}
