import { describe, expect, it } from 'vitest'
import { pagePathOf, signInLocation } from './page-path.ts'

const PREFIXES = ['', '/ops', '/a/b/c']

describe('the way back to the root', () => {
  it.each<[path: string, base: string]>([
    ['/jobs', './jobs/'],
    ['/jobs/', './'],
    ['/jobs/list', './'],
    ['/jobs/list/', '../'],
    ['/jobs/executions/7', '../'],
    ['/jobs/7/edit/', '../../'],
    ['/jobs//list', '../'],
    ['/jobs//', '../'],
    ['/jobs/a%2Fb', './'],
    ['/jobs/%2e%2e%2f', './'],
    ['/jobs/a/b/c/d/e/f/g/h/i', '../../../../../../../../'],
  ])('from %s is %s, wherever the server is mounted', (path, base) => {
    expect(pagePathOf(path)?.base).toBe(base)
    for (const prefix of PREFIXES) {
      const seen = new URL(`http://localhost${prefix}${path}`)
      expect(new URL(base, seen).pathname).toBe(`${prefix}/jobs/`)
    }
  })

  it.each(['/', '/job', '/jobsx', '/jobs2/list', '/api/jobs', '//jobs', '/JOBS', '/%6Aobs'])(
    '%s is no path of the dashboard',
    (path) => {
      expect(pagePathOf(path)).toBeNull()
    },
  )

  it('is not counted for ever', () => {
    const { isPossible, base } = pagePathOf(`/jobs/${'/'.repeat(8_000)}`) ?? {}
    expect([isPossible, base]).toEqual([false, './'])
  })
})

describe('the page to sign in', () => {
  it.each([
    ['/jobs/sign-in', true],
    ['/jobs/sign-in/', true],
    ['/jobs/sign-in/x', false],
    ['/jobs/x/sign-in', false],
    ['/jobs/SIGN-IN', false],
    ['/jobs/sign%2Din', false],
  ])('%s: %s', (path, expected) => {
    expect(pagePathOf(path)?.isSignIn).toBe(expected)
  })

  it.each<[path: string, search: string, location: string]>([
    ['/jobs', '', './jobs/sign-in'],
    ['/jobs/', '', './sign-in'],
    ['/jobs/', '?hours=24', './sign-in?next=%2F%3Fhours%3D24'],
    ['/jobs/list', '?q=status:failed', './sign-in?next=%2Flist%3Fq%3Dstatus%3Afailed'],
    ['/jobs/executions/7', '', '../sign-in?next=%2Fexecutions%2F7'],
    ['/jobs/list', `?q=${'x'.repeat(1_000)}`, './sign-in'],
  ])('%s%s leads to %s', (path, search, location) => {
    expect(signInLocation(pagePathOf(path)!, search)).toBe(location)
  })

  it.each([
    '/jobs//evil.example',
    '/jobs///evil.example/x',
    '/jobs/javascript:alert(1)',
    '/jobs/https://evil.example',
    '/jobs/https:%2F%2Fevil.example',
    '/jobs/%2F%2Fevil.example',
    '/jobs/%5C%5Cevil.example',
    '/jobs/..%2F..%2Fevil',
    '/jobs/a@evil.example',
    '/jobs/%0d%0aset-cookie:x=1',
  ])('leads from %s back to no place but our own', (path) => {
    const location = signInLocation(pagePathOf(path)!, '')
    expect(location).toMatch(/^(\.\/|(\.\.\/)+)sign-in$/)
    expect(new URL(location, `http://localhost${path}`).href).toBe('http://localhost/jobs/sign-in')
  })
})
