import type { AttemptStatus, ExecutionStatus, JobStatus } from '../api/wire.ts'
import { executionStatusName, jobStatusName } from '../language/names.ts'

export type Tone = 'good' | 'bad' | 'warn' | 'info' | 'muted'

const EXECUTION_TONES: Readonly<Record<ExecutionStatus | AttemptStatus, Tone>> = {
  QUEUED: 'muted',
  RUNNING: 'info',
  WAITING: 'info',
  DIVERGED: 'warn',
  SUCCESS: 'good',
  FAILED: 'bad',
  TIMEOUT: 'bad',
  CANCELLED: 'muted',
  LOST: 'warn',
}

const JOB_TONES: Readonly<Record<JobStatus, Tone>> = {
  ACTIVE: 'good',
  APPROVED: 'good',
  PAUSED: 'warn',
  DISABLED: 'muted',
  FAULTED: 'bad',
  PENDING_APPROVAL: 'info',
  DELETED: 'muted',
}

export function toneOf(status: ExecutionStatus | AttemptStatus): Tone {
  return EXECUTION_TONES[status]
}

/** A word in the colour of what it means; never the colour alone. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: preact.ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>
}

export function ExecutionBadge({ status }: { readonly status: ExecutionStatus | AttemptStatus }) {
  return (
    <span class={`badge ${EXECUTION_TONES[status]} ${status === 'RUNNING' ? 'running' : ''}`}>
      {executionStatusName(status)}
    </span>
  )
}

export function JobBadge({ status }: { readonly status: JobStatus }) {
  return <Badge tone={JOB_TONES[status]}>{jobStatusName(status)}</Badge>
}
