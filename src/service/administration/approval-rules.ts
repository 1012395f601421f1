import { requireSecondAdmin } from '../../access/approval.ts'
import { requireWholeProfile } from '../../access/principal.ts'
import type { NotificationEvent } from '../../store/notifications.ts'
import type { PendingLoosening, TenantSettings } from '../../store/settings.ts'
import { ConflictError } from '../errors.ts'
import type { ApproveOptions, RejectOptions } from '../requests.ts'
import type { Scope } from '../scope.ts'
import { readReason, requireReason } from '../sent-values.ts'
import { type SettingsDecision, type SettingsView, storeSettings } from './store-settings.ts'

/** The approval rules after a request, and the event that reports a loosening. */
interface ApprovalRules {
  readonly rules: Pick<TenantSettings, 'allowsSelfApproval' | 'pending'>
  readonly event?: NotificationEvent
}

/**
 * Decides what a request for other approval rules does. A stricter rule holds at once. A looser one waits for a second Admin, unless the operator lets one
 * Admin decide. Repeating a request changes nothing, whoever repeats it: only the approval route approves.
 */
export function requestedRules(scope: Scope, before: TenantSettings, allowsSelfApproval: boolean): ApprovalRules {
  const { pending } = before
  if (allowsSelfApproval === before.allowsSelfApproval) return { rules: { allowsSelfApproval, pending } }
  if (!allowsSelfApproval) return { rules: { allowsSelfApproval, pending: null } }
  if (scope.rules.approvalRules === 'oneAdmin') {
    return { rules: { allowsSelfApproval, pending: null }, event: eventOf(scope, 'approval_rules.loosened') }
  }
  if (pending !== null) return { rules: { allowsSelfApproval: false, pending } }
  const { userId, persons } = scope.by
  const requested: PendingLoosening = {
    allowsSelfApproval,
    requestedBy: userId ?? persons[0] ?? '',
    persons,
    requestedAt: scope.now(),
  }
  return {
    rules: { allowsSelfApproval: false, pending: requested },
    event: eventOf(scope, 'approval_rules.pending', requested),
  }
}

/** Puts a pending loosening into force, as a second Admin. */
export async function approveSettings(scope: Scope, options: ApproveOptions): Promise<SettingsView> {
  requireWholeProfile(scope.principal, 'Admin')
  const comment = readReason(options.comment, 'comment')
  return await storeSettings(scope, options.expectedVersion ?? null, (before): SettingsDecision => {
    const pending = requirePending(before)
    requireSecondAdmin(scope.by.persons, pending.persons)
    return {
      operation: 'JOBS_SETTINGS_APPROVE',
      settings: { ...before, allowsSelfApproval: pending.allowsSelfApproval, pending: null },
      facts: { comment },
      event: eventOf(scope, 'approval_rules.loosened', pending),
    }
  })
}

/** Discards a pending loosening. The Admin who requested it may withdraw it in this way. */
export async function rejectSettings(scope: Scope, options: RejectOptions): Promise<SettingsView> {
  requireWholeProfile(scope.principal, 'Admin')
  const reason = requireReason(options.reason, 'reason')
  return await storeSettings(scope, options.expectedVersion ?? null, (before): SettingsDecision => {
    requirePending(before)
    return { operation: 'JOBS_SETTINGS_REJECT', settings: { ...before, pending: null }, facts: { reason } }
  })
}

function requirePending({ pending }: TenantSettings): PendingLoosening {
  if (pending !== null) return pending
  throw new ConflictError('settings.nothing_pending', 'No change of the approval rules is waiting for an approval.')
}

function eventOf(
  scope: Scope,
  kind: 'approval_rules.pending' | 'approval_rules.loosened',
  pending?: PendingLoosening,
): NotificationEvent {
  const { around, tenant, by } = scope
  const at = scope.now()
  const userId = by.userId ?? by.persons[0] ?? null
  const facts = { rule: 'allowsSelfApproval', userId, requestedBy: pending?.requestedBy ?? userId }
  return { id: around.env.uuid(at), tenant, kind, at, facts }
}
