import { describe, expect, it } from 'vitest'
import { Cursors } from './cursor.ts'

const cursors = new Cursors('a secret')
const scope = ['acme', 'jobs', { sort: 'name' }]
const shape = ['text', 'count', 'instant'] as const
const cursor = cursors.write(['são', 7, null], scope)

describe('a cursor', () => {
  it('gives back the place it was made of', () => {
    expect(cursors.read(cursor, scope, shape)).toEqual(['são', 7, null])
    expect(new Cursors('a secret').read(cursor, scope, shape)).toEqual(['são', 7, null])
    expect(cursors.read(undefined, scope, shape)).toBeUndefined()
  })

  it.each<[string, string, readonly unknown[], Cursors?]>([
    ['of another tenant', cursor, ['globex', 'jobs', { sort: 'name' }]],
    ['of another list', cursor, ['acme', 'executions', { sort: 'name' }]],
    ['of another query', cursor, ['acme', 'jobs', { sort: 'status' }]],
    ['of another service', cursor, scope, new Cursors('another secret')],
    ['that was tampered with', `${Buffer.from('["z",7,null]').toString('base64url')}.${cursor.split('.')[1]}`, scope],
    ['with another code', `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'Q' : 'A'}`, scope],
    ['without a code', cursor.split('.')[0] ?? '', scope],
    ['that is empty', '', scope],
    ['of other characters', `${cursor}\n`, scope],
    ['of another shape', cursors.write(['são', 7], scope), scope],
    ['with a place that is none', cursors.write(['são', 0, null], scope), scope],
    ['with text that cannot be stored', cursors.write(['\0', 7, null], scope), scope],
    ['with an instant that is none', cursors.write(['são', 7, 1e16], scope), scope],
    ['that is endless', `${'A'.repeat(100_000)}.${'A'.repeat(22)}`, scope],
  ])('%s is refused', (_, text, other, reader = cursors) => {
    expect(() => reader.read(text, other, shape)).toThrow(expect.objectContaining({ code: 'invalid_cursor' }))
  })
})
