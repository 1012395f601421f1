import { describe, expect, it } from 'vitest'
import { requireApprover } from './approval.ts'

const job = { authors: ['key:7', 'ana'], createdBy: 'ben', scheduledBy: 'key:7' }
const nobodys = { authors: [], createdBy: null, scheduledBy: null }

describe('a sensitive job may be approved', () => {
  it.each([
    ['by somebody who decided nothing about it', ['dora'], job, false],
    ['by a key of such a person', ['key:9', 'dora'], job, false],
    ['where code has declared it', ['dora'], { ...nobodys, authors: ['code:billing'] }, false],
    ['by whoever made it, where the tenant allows that', ['ben'], job, true],
    ['by anybody where nobody knows who made it, where the tenant allows that', ['dora'], nobodys, true],
  ])('%s', (_what, persons, details, allowsSelfApproval) => {
    expect(() => requireApprover(persons, details, allowsSelfApproval)).not.toThrow()
  })

  it.each([
    ['by whoever made it', ['ben'], job, false],
    ['by whoever changed it last', ['key:7'], job, false],
    ['by whoever changed it since it was last approved', ['ana'], job, false],
    ['by another key of an author', ['key:8', 'ana'], job, false],
    ['where nobody knows who made it', ['dora'], nobodys, false],
    ['by nobody', [], job, false],
    ['by nobody, even where the tenant allows self-approval', [], job, true],
  ])('not %s', (_what, persons, details, allowsSelfApproval) => {
    expect(() => requireApprover(persons, details, allowsSelfApproval)).toThrow(
      expect.objectContaining({ name: 'ForbiddenError', code: 'self_approval_forbidden' }),
    )
  })
})
