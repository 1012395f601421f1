import type { NotificationKind } from '../../../../src/store/notifications.ts'
import { settingsTexts } from './texts.ts'

/** Reported whatever a tenant chooses. */
const NOT_CHOSEN: readonly NotificationKind[] = [
  'notification.test',
  'approval_rules.pending',
  'approval_rules.loosened',
]

/** What people may be told of, with its name. */
export function eventOptions(): { readonly value: NotificationKind; readonly name: string }[] {
  const names = settingsTexts.value.events
  return (Object.keys(names) as NotificationKind[])
    .filter((kind) => !NOT_CHOSEN.includes(kind))
    .map((value) => ({ value, name: names[value] }))
}
