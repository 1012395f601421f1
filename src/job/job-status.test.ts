import { describe, expect, it } from 'vitest'
import { fires, JOB_STATUSES, JobConflictError, type JobStatus, type JobVerb, requireVerb } from './job-status.ts'

/** As the contract has it. */
const TABLE: Readonly<Record<JobStatus, string>> = {
  ACTIVE: 'fires pause execute update disable delete',
  APPROVED: 'fires pause execute update disable delete',
  PAUSED: 'resume execute update disable delete',
  PENDING_APPROVAL: 'approve reject update disable delete',
  FAULTED: 'pause resume execute update disable delete',
  DISABLED: 'update enable delete',
  DELETED: '',
}
const VERBS: readonly JobVerb[] = [
  'pause',
  'resume',
  'execute',
  'approve',
  'reject',
  'update',
  'disable',
  'enable',
  'delete',
]

describe('a job status', () => {
  it('stands in the table', () => {
    expect(JOB_STATUSES.toSorted()).toEqual(Object.keys(TABLE).toSorted())
  })

  describe.each(JOB_STATUSES)('%s', (status) => {
    const allowed = TABLE[status].split(' ')

    it(allowed.includes('fires') ? 'fires by itself' : 'does not fire', () => {
      expect(fires(status)).toBe(allowed.includes('fires'))
    })

    it.each(VERBS)('and %s', (verb) => {
      const ask = () => requireVerb({ name: 'closing', status }, verb)
      if (allowed.includes(verb)) expect(ask).not.toThrow()
      else expect(ask).toThrow(JobConflictError)
    })
  })

  it('that is in the way names the job, itself and those that are needed', () => {
    expect(() => requireVerb({ name: 'closing', status: 'ACTIVE' }, 'resume')).toThrow(
      'Job "closing" is ACTIVE; resume needs PAUSED or FAULTED.',
    )
    try {
      requireVerb({ name: 'closing', status: 'DISABLED' }, 'execute')
    } catch (error) {
      expect(error).toMatchObject({
        code: 'job.status_conflict',
        details: {
          job: 'closing',
          status: 'DISABLED',
          verb: 'execute',
          accepted: ['ACTIVE', 'PAUSED', 'FAULTED', 'APPROVED'],
        },
      })
    }
  })
})
