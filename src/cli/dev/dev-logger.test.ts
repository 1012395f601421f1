import { describe, expect, it } from 'vitest'
import type { LogFields } from '../../logger.ts'
import { lineOf } from './dev-logger.ts'

describe('a line of the log under pontual dev', () => {
  it.each<[string, LogFields]>([
    ['Said', {}],
    ['send: Said', { jobType: 'send', executionId: 'x', tenant: 'default', attempt: 1 }],
    ['send: Said (host=mail, tries=2)', { jobType: 'send', host: 'mail', tries: 2, none: null }],
    ['Said (error=gone)', { error: new Error('gone') }],
    ['Said (big=1)', { big: 1n }],
    ['Said (by=a\n    b)', { by: '\u001b[2Ja\nb' }],
  ])('%s', (expected, fields) => {
    expect(lineOf(0, 'info', 'Said', fields)).toMatch(/^\d\d:\d\d:\d\d info {2}/)
    expect(lineOf(0, 'info', 'Said', fields).slice(15)).toBe(expected)
  })
})
