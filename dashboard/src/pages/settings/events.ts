import type { NotificationKind } from '../../../../src/store/notifications.ts'
import { settingsTexts } from './texts.ts'

/** What people may be told of, with its name. */
export function eventOptions(): { readonly value: NotificationKind; readonly name: string }[] {
  const names = settingsTexts.value.events
  return (Object.keys(names) as NotificationKind[])
    .filter((kind) => kind !== 'notification.test')
    .map((value) => ({ value, name: names[value] }))
}
