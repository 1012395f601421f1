import type { AttemptStatus, ExecutionStatus } from '../../job/execution/execution.ts'
import type { JobStatus } from '../../job/job-status.ts'
import type { Tone } from '../terminal.ts'

const TONES: Readonly<Record<ExecutionStatus | AttemptStatus | JobStatus, Tone | null>> = {
  SUCCESS: 'good',
  FAILED: 'bad',
  TIMEOUT: 'bad',
  LOST: 'bad',
  DIVERGED: 'bad',
  FAULTED: 'bad',
  CANCELLED: 'warn',
  PENDING_APPROVAL: 'warn',
  PAUSED: 'warn',
  RUNNING: 'strong',
  ACTIVE: 'good',
  APPROVED: 'good',
  QUEUED: null,
  WAITING: null,
  DISABLED: 'dim',
  DELETED: 'dim',
}

/** How a status stands out. */
export function statusTone(status: keyof typeof TONES): Tone | null {
  return TONES[status] ?? null
}
