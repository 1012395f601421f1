import { describe, expect, it } from 'vitest'
import { StaleVersionError } from '../../service/errors.ts'
import { entityTag, expectedVersion } from './entity-tag.ts'
import { RequestError } from './request-error.ts'

const asked = (ifMatch?: string) => expectedVersion(new Headers(ifMatch === undefined ? {} : { 'if-match': ifMatch }))

describe('If-Match', () => {
  it.each<[string | undefined, number | undefined]>([
    [undefined, undefined],
    ['*', undefined],
    [entityTag(1), 1],
    ['"42"', 42],
    [' "0" ', 0],
  ])('%j asks for version %j', (ifMatch, version) => {
    expect(asked(ifMatch)).toBe(version)
  })

  it.each(['W/"1"', '"abc"', '"01"', '"-1"', '"1.5"', '""', '"99999999999999999999"'])(
    '%s is no version that anything has',
    (ifMatch) => {
      expect(() => asked(ifMatch)).toThrow(StaleVersionError)
    },
  )

  it.each(['1', '"1', '"1", "2"', '', 'W/1'])('%j is no entity tag', (ifMatch) => {
    expect(() => asked(ifMatch)).toThrow(RequestError)
  })
})
