import { didYouMean, nearest } from '../../../nearest.ts'
import { type FieldProblems, pointerTo } from '../../field-problems.ts'
import type { JobFieldsUpdate, JobView } from '../../job-view.ts'
import { type AskedFields, SETTABLE_FIELDS } from '../fields/job-fields.ts'
import { isSameJson } from '../same-json.ts'

/** What an update asks for, once all that is only sent back is left out. */
export interface AskedUpdate {
  readonly fields: AskedFields
  readonly status: 'ACTIVE' | 'DISABLED' | null
}

const SETTABLE: ReadonlySet<string> = new Set(SETTABLE_FIELDS)

/** They change by themselves between the moment they are read and the moment they are sent back. */
const CHANGING: ReadonlySet<string> = new Set([
  'statistics',
  'lastExecutions',
  'recentExecutions',
  'nextExecution',
  'isSuspended',
  'updatedAt',
  'version',
])

/** Tells what is to be changed from what is sent back as it was read; what cannot be changed is noted. */
export function readAsked(problems: FieldProblems, view: JobView, update: JobFieldsUpdate): AskedUpdate {
  const fields: Record<string, unknown> = {}
  let status: AskedUpdate['status'] = null
  for (const [name, value] of Object.entries(update)) {
    if (value === undefined || CHANGING.has(name)) continue
    if (!Object.hasOwn(view, name)) {
      problems.add(pointerTo(name), 'unknown_field', `There is no such field.${didYouMean(name, SETTABLE)}`, {
        suggestion: nearest(name, SETTABLE),
      })
      continue
    }
    if (isSameJson(value, view[name as keyof JobView])) continue
    if (SETTABLE.has(name)) fields[name] = value
    else if (name === 'status' && (value === 'ACTIVE' || value === 'DISABLED')) status = value
    else problems.add(pointerTo(name), 'read_only_field', readOnly(name), { name })
  }
  if (status !== null && Object.keys(fields).length > 0) {
    problems.add('/status', 'status_not_alone', 'Change the status by itself, and other fields in another request.')
  }
  return { fields, status }
}

function readOnly(name: string): string {
  if (name === 'jobType') return 'The job type of a job cannot be changed; make another job.'
  if (name === 'status') return 'status can be set to DISABLED, and back to ACTIVE; for the rest there are verbs.'
  return 'This field cannot be set. It may be sent back as it was read.'
}
