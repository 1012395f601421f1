import { describe, expect, it } from 'vitest'
import { InvalidFieldsError } from '../../service/errors.ts'
import { readQuery } from './serve-route.ts'

const BASE = 'http://localhost/api/jobs'

function codes(query: string): string[] {
  try {
    readQuery(BASE + query)
  } catch (error) {
    if (error instanceof InvalidFieldsError) return error.problems.map(({ pointer, code }) => `${pointer} ${code}`)
  }
  throw new Error('was not refused')
}

describe('parameters', () => {
  it.each<[string, object]>([
    ['', {}],
    ['?', {}],
    ['?limit=5&q=a%20b', { limit: '5', q: 'a b' }],
    ['?q=a+b', { q: 'a b' }],
    ['?q=', { q: '' }],
    ['?q=%F0%9F%98%80#fragment', { q: '😀' }],
  ])('of %j are read', (query, parameters) => {
    expect(readQuery(BASE + query)).toEqual(parameters)
  })

  it('that are called like something of every object are parameters like others', () => {
    expect(Object.keys(readQuery(`${BASE}?__proto__=1&constructor=2`))).toEqual(['__proto__', 'constructor'])
  })

  it.each<[string, string[]]>([
    ['?limit=1&limit=2', ['/limit duplicate_parameter']],
    ['?q=a&q=a', ['/q duplicate_parameter']],
    ['?q=%00', ['/q format_invalid']],
    ['?q=a%0d%0ab', ['/q format_invalid']],
    ['?a=1&a=2&b=%07', ['/a duplicate_parameter', '/b format_invalid']],
  ])('of %j are refused', (query, problems) => {
    expect(codes(query)).toEqual(problems)
  })
})
