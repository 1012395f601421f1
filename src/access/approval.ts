import type { JobDetails } from '../job/job.ts'
import { ForbiddenError } from './errors.ts'

/**
 * Throws unless somebody may say yes to a job: a second person, who has decided nothing about it. Where nobody knows who decided, nobody may.
 * A tenant may allow its people to approve what they scheduled themselves.
 */
export function requireApprover(
  persons: readonly string[],
  { authors, createdBy, scheduledBy }: Pick<JobDetails, 'authors' | 'createdBy' | 'scheduledBy'>,
  allowsSelfApproval: boolean,
): void {
  const known = [...authors, createdBy, scheduledBy].filter((person) => person !== null)
  if (persons.length === 0) throw forbidden('nobodyApproves', 'Nobody is known who would approve it.')
  if (allowsSelfApproval) return
  if (known.length === 0) {
    throw forbidden('nobodyDecided', 'Nobody knows who decided about it, so that nobody can be a second person.')
  }
  if (persons.some((person) => known.includes(person))) {
    throw forbidden('own', 'Whoever decided about what would run cannot approve it; a second person has to.')
  }
}

/**
 * Throws unless a loosening of the approval rules is approved by a second Admin: none of the persons behind the approval may stand behind the request. If
 * either side is unknown, the approval is refused.
 */
export function requireSecondAdmin(persons: readonly string[], requesters: readonly string[]): void {
  if (persons.length === 0) throw forbidden('nobodyApproves', 'Nobody is known who would approve it.')
  if (requesters.length > 0 && !persons.some((person) => requesters.includes(person))) return
  const message = 'The Admin who requested this change cannot approve it; a second Admin must approve it.'
  throw forbidden('ownSettings', message)
}

function forbidden(why: 'nobodyApproves' | 'nobodyDecided' | 'own' | 'ownSettings', message: string): ForbiddenError {
  return new ForbiddenError('self_approval_forbidden', message, { case: why })
}
