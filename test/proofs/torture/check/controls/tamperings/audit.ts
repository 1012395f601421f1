import { hashOf } from '../../rules/audit.ts'
import { BEGUN_AT, JOB } from '../clean-history.ts'
import type { Tampering } from './tampering.ts'

/** Of the audit log. */
export const AUDIT: readonly Tampering[] = [
  {
    name: 'an audit entry is edited',
    invariant: 'I24',
    tamper: ({ tables }) => Object.assign(tables.audit[1] ?? {}, { newValues: '{"durationMs":19}' }),
  },
  {
    name: 'an audit entry is edited, and its hash with it',
    invariant: 'I24',
    tamper: ({ tables }) => {
      const entry = tables.audit[1]
      if (!entry) return
      entry.newValues = '{"durationMs":19}'
      entry.hash = hashOf(entry)
    },
  },
  {
    name: 'the last audit entry is gone, and its end has none',
    invariant: 'I24',
    tamper: ({ tables }) => void tables.audit.pop(),
  },
  {
    name: 'an end is told twice',
    invariant: 'I24',
    tamper: (history) => history.audit(BEGUN_AT + 9_500, 'tick 9', JOB),
  },
  {
    name: 'an end is told as another',
    invariant: 'I24',
    tamper: (history) => {
      history.tables.audit.pop()
      const { sequence, hash } = history.tables.audit.at(-1) ?? { sequence: 0, hash: '' }
      history.tables.heads.splice(0, 1, { tenant: 'acme', sequence, hash })
      history.audit(BEGUN_AT + 9_500, 'tick 9', JOB, 'JOBS_JOB_FAIL')
    },
  },
]
