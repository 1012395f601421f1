import type { AnyJobType } from '../../../job/type/job-type.ts'
import { knownCalendar } from '../../known-calendar.ts'
import type { Scope } from '../../scope.ts'
import type { FieldSurroundings } from './job-fields.ts'

/** What the fields of a job are checked against. */
export async function fieldSurroundings(
  scope: Scope,
  type: AnyJobType | null,
  isNew: boolean,
): Promise<FieldSurroundings> {
  const { settings } = await scope.settings()
  return {
    now: scope.now(),
    allowsSeconds: settings.allowsSeconds,
    type,
    isNew,
    calendar: (name) => knownCalendar(scope, name),
  }
}
