import type { ApprovalChange } from '../../api/wire.ts'
import { isSameData } from '../../parts/diff-lines.ts'

/** The changes without what they tell twice: a cron trigger says again what the expression and the zone say. Whatever else a trigger says stays. */
export function toldChanges(changes: readonly ApprovalChange[]): readonly ApprovalChange[] {
  const fields = new Set(changes.map(({ field }) => field))
  if (!fields.has('cronExpression') && !fields.has('timeZone')) return changes
  return changes.filter(({ field, approved, current }) => {
    return field !== 'trigger' || !isCron(current) || !isSameData(beside(approved), beside(current))
  })
}

function isCron(trigger: unknown): boolean {
  return typeof trigger === 'object' && trigger !== null && 'type' in trigger && trigger.type === 'cron'
}

/** What a trigger says beside the expression and the zone. */
function beside(trigger: unknown): unknown {
  if (trigger === null) return {}
  if (!isCron(trigger)) return trigger
  const { type: _type, expression: _expression, timeZone: _timeZone, ...rest } = trigger as Record<string, unknown>
  return rest
}
