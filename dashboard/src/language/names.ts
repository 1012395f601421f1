import type { AttemptStatus, ExecutionStatus, JobStatus, Permission, Priority } from '../api/wire.ts'
import { jobTexts } from './job-texts.ts'
import { inBoth } from './language.ts'

type Names = {
  readonly approved: string
  readonly deleted: string
  readonly execution: Readonly<Record<ExecutionStatus | AttemptStatus, string>>
  readonly policy: Readonly<Record<string, string>>
  readonly origin: Readonly<Record<'enqueue' | 'schedule' | 'manual' | 'retry', string>>
  readonly missing: (permission: Permission) => string
}

const names = inBoth<Names>({
  'pt-BR': {
    approved: 'Aprovado',
    deleted: 'Deletado',
    execution: {
      QUEUED: 'Na fila',
      RUNNING: 'Executando',
      WAITING: 'Esperando',
      DIVERGED: 'Divergente',
      SUCCESS: 'Sucesso',
      FAILED: 'Falhou',
      TIMEOUT: 'Timeout',
      CANCELLED: 'Cancelada',
      LOST: 'Perdida',
    },
    policy: {
      smart: 'Automática',
      fireNow: 'Uma vez, agora',
      fireOnce: 'Uma vez, a mais recente',
      fireAll: 'Todas',
      ignore: 'Todas (ignorar misfire)',
      skipToNext: 'Pular para a próxima',
    },
    origin: { enqueue: 'Enfileirada', schedule: 'Agendada', manual: 'Manual', retry: 'Retentativa' },
    missing: (permission) => `Requer a permissão ${permission}`,
  },
  en: {
    approved: 'Approved',
    deleted: 'Deleted',
    execution: {
      QUEUED: 'Queued',
      RUNNING: 'Running',
      WAITING: 'Waiting',
      DIVERGED: 'Diverged',
      SUCCESS: 'Success',
      FAILED: 'Failed',
      TIMEOUT: 'Timed out',
      CANCELLED: 'Cancelled',
      LOST: 'Lost',
    },
    policy: {
      smart: 'Smart',
      fireNow: 'Once, now',
      fireOnce: 'Once, the latest',
      fireAll: 'All of them',
      ignore: 'All of them (ignore misfires)',
      skipToNext: 'Skip to the next',
    },
    origin: { enqueue: 'Enqueued', schedule: 'Scheduled', manual: 'Manual', retry: 'Retry' },
    missing: (permission) => `Needs the permission ${permission}`,
  },
})

export function jobStatusName(status: JobStatus): string {
  const { status: known } = jobTexts.value
  switch (status) {
    case 'ACTIVE':
      return known.active
    case 'PAUSED':
      return known.paused
    case 'DISABLED':
      return known.disabled
    case 'FAULTED':
      return known.faulted
    case 'PENDING_APPROVAL':
      return known.pendingApproval
    case 'APPROVED':
      return names.value.approved
    case 'DELETED':
      return names.value.deleted
  }
}

export function executionStatusName(status: ExecutionStatus | AttemptStatus): string {
  return names.value.execution[status]
}

export function priorityName(priority: Priority): string {
  const { high, medium, low } = jobTexts.value.priority
  return { HIGH: high, MEDIUM: medium, LOW: low }[priority]
}

/** A misfire policy in words; those of Quartz keep their names. */
export function policyName(policy: string): string {
  return names.value.policy[policy] ?? policy
}

export function originName(origin: 'enqueue' | 'schedule' | 'manual' | 'retry'): string {
  return names.value.origin[origin]
}

/** Why a control is not to be used. */
export function missingPermission(permission: Permission): string {
  return names.value.missing(permission)
}
