import { describe, expect, it } from 'vitest'
import { prefixOf, rootsOf, splitUrl } from './api-path.ts'

describe('the prefix of a mount', () => {
  it.each([
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
    ['/ops/jobs', '/ops/jobs'],
    ['/jobs', '/jobs'],
  ])('at "%s" is "%s"', (mountedAt, expected) => {
    expect(prefixOf(mountedAt)).toBe(expected)
  })
})

describe('what is the API’s', () => {
  it.each<[string, string, string | null]>([
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

describe('what is the dashboard’s', () => {
  const app = { fetch: async () => new Response(), close: () => {} }

  it.each<[string, string, string | null]>([
    ['/jobs', '', '/jobs'],
    ['/jobs/', '', '/jobs/'],
    ['/jobs?x=1', '', '/jobs?x=1'],
    ['/ops/jobs/list', '/ops', '/jobs/list'],
    ['/jobs/list', '/ops', null],
    ['/jobsx', '', null],
    ['/', '', null],
    ['/ops/jobs/list', '/ops/jobs', null],
    ['/ops/jobs/jobs', '/ops/jobs', '/jobs'],
  ])('%s under "%s" is %s, and somebody else’s where there is none', (url, prefix, expected) => {
    expect(splitUrl(url, prefix, rootsOf({ ...app, hasDashboard: true }))).toBe(expected)
    expect(splitUrl(url, prefix, rootsOf(app))).toBeNull()
  })
})
