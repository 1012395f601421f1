import { describe, expect, test } from 'vitest'
import { prefixOf, splitUrl } from './api-path.ts'

describe('the prefix of a mount', () => {
  test.each([
    ['', ''],
    ['/', ''],
    ['/ops', '/ops'],
    ['/ops/', '/ops'],
    ['/api', ''],
    ['/api/jobs', ''],
    ['/ops/api', '/ops'],
    ['/ops/api/jobs/', '/ops'],
    ['/ops/api/session', '/ops'],
    ['/myapi', '/myapi'],
  ])('at "%s" is "%s"', (mountedAt, expected) => {
    expect(prefixOf(mountedAt)).toBe(expected)
  })
})

describe('what is the API’s', () => {
  test.each<[string, string, string | null]>([
    ['/api/jobs', '', '/api/jobs'],
    ['/api/jobs?limit=5', '', '/api/jobs?limit=5'],
    ['/api/jobs/7/logs', '', '/api/jobs/7/logs'],
    ['/api/session', '', '/api/session'],
    ['/ops/api/jobs', '/ops', '/api/jobs'],
    ['/ops/api/jobs', '', null],
    ['/api/jobs', '/ops', null],
    ['/api/jobsx', '', null],
    ['/api', '', null],
    ['/opsapi/jobs', '/ops', null],
    ['/?/api/jobs', '', null],
  ])('%s under "%s" is %s', (url, prefix, expected) => {
    expect(splitUrl(url, prefix)).toBe(expected)
  })
})
