import { describe, expect, it } from 'vitest'
import { shownPayload, withHidden } from './hidden-values.ts'

const shown = (payload: unknown) => shownPayload('http.request', payload)
const URL = 'https://api.example.com/a'

describe('what is shown of a request', () => {
  it.each<[string, unknown, unknown]>([
    ['a header', { headers: { authorization: 'x' } }, { headers: { authorization: '***' } }],
    ['a header of an unknown name', { headers: { 'X-Anything': 'x' } }, { headers: { 'X-Anything': '***' } }],
    ['a harmless header', { headers: { Accept: 'text/*' } }, { headers: { Accept: 'text/*' } }],
    ['a query', { url: `${URL}?key=1&b=2` }, { url: `${URL}?***` }],
    ['a path', { url: URL, body: 'x' }, { url: URL, body: 'x' }],
    ['nothing', null, null],
    ['a text', 'x', 'x'],
    ['a list', [1], [1]],
    ['headers that are none', { headers: 'x', url: 5 }, { headers: 'x', url: 5 }],
  ])('%s', (_what, payload, expected) => {
    expect(shown(payload)).toEqual(expected)
  })

  it('other job types have nothing to hide', () => {
    const payload = { headers: { authorization: 'x' } }
    expect(shownPayload('import', payload)).toBe(payload)
  })
})

describe('what was hidden is put back', () => {
  const stored = { url: `${URL}?key=1`, headers: { authorization: 'x', accept: '*/*' } }
  const sent = (payload: unknown) => withHidden('http.request', payload, () => stored)

  it.each<[string, unknown, unknown]>([
    ['as it was shown', shown(stored), stored],
    ['with another method', { ...(shown(stored) as object), method: 'PUT' }, { ...stored, method: 'PUT' }],
    ['with a new value', { url: URL, headers: { authorization: 'y' } }, { url: URL, headers: { authorization: 'y' } }],
    [
      'to another path',
      { url: `${URL}/b`, headers: { authorization: '***' } },
      { url: `${URL}/b`, headers: { authorization: 'x' } },
    ],
    ['without headers', { url: `${URL}?***` }, { url: stored.url }],
    ['in a harmless header', { url: URL, headers: { accept: '***' } }, { url: URL, headers: { accept: '***' } }],
    ['nothing', null, null],
  ])('%s', (_what, payload, expected) => {
    expect(sent(payload)).toEqual(expected)
  })

  it.each<[string, unknown]>([
    ['another host', { url: 'https://evil.example/', headers: { authorization: '***' } }],
    ['another protocol', { url: 'http://api.example.com/a', headers: { authorization: '***' } }],
    ['what is no URL', { url: 'x', headers: { authorization: '***' } }],
    ['another header', { url: URL, headers: { 'x-copy': '***' } }],
    ['a header of every object', { url: URL, headers: { constructor: '***' } }],
  ])('not for %s', (_what, payload) => {
    expect(() => sent(payload)).toThrow(expect.objectContaining({ code: 'hidden_value' }))
  })

  it('what is stored is read only where it may be needed', () => {
    const read = () => {
      throw new Error('read')
    }
    expect(withHidden('import', { a: 1 }, read)).toEqual({ a: 1 })
    expect(withHidden('http.request', undefined, read)).toBeUndefined()
  })
})
