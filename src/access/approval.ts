import type { JobDetails } from '../job/job-details.ts'
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

function forbidden(why: 'nobodyApproves' | 'nobodyDecided' | 'own', message: string): ForbiddenError {
  return new ForbiddenError('self_approval_forbidden', message, { case: why })
}
