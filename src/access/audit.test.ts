import { describe, expect, it } from 'vitest'
import { AUDIT_OPERATIONS, type AuditEntry, auditText, operationType } from './audit.ts'

const entry: Omit<AuditEntry, 'hash'> = {
  tenant: 'acme',
  sequence: 12,
  at: 1_773_230_400_123,
  operation: 'JOBS_JOB_UPDATE',
  userId: 'zoë 😀',
  jobId: null,
  executionId: null,
  oldValues: '',
  newValues: '{"name":"a\nb"}',
  previousHash: 'ff',
}

it('what is hashed is each field with its length in code points, behind the hash before it', () => {
  expect(auditText(entry)).toBe(
    'ff\n4:acme\n2:12\n13:1773230400123\n15:JOBS_JOB_UPDATE\n5:zoë 😀\n-\n-\n0:\n14:{"name":"a\nb"}',
  )
})

describe('two entries that differ do not read the same', () => {
  it.each<[string, Partial<AuditEntry>, Partial<AuditEntry>]>([
    ['null and empty', { userId: null }, { userId: '' }],
    ['a value in the other place', { oldValues: 'x', newValues: null }, { oldValues: null, newValues: 'x' }],
    ['a line end that looks like a field', { userId: 'a\n1:b', jobId: null }, { userId: 'a', jobId: 'b' }],
    ['digits that move', { tenant: 'a1', sequence: 1 }, { tenant: 'a', sequence: 11 }],
    ['another tenant', { tenant: 'acme' }, { tenant: 'Acme' }],
  ])('%s', (_what, one, other) => {
    expect(auditText({ ...entry, ...one })).not.toBe(auditText({ ...entry, ...other }))
  })
})

it('the type of an operation is its last word', () => {
  const types =
    'CREATE UPDATE DELETE EXECUTE FAIL CANCEL PAUSE RESUME APPROVE REJECT SIGNAL RESTART REVEAL ERASE'.split(' ')
  expect([...new Set(AUDIT_OPERATIONS.map(operationType))]).toEqual(types)
})
