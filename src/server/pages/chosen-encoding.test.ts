import { expect, it } from 'vitest'
import { chosenEncoding, type Encoding } from './chosen-encoding.ts'

it.each<[string | null, Encoding | null]>([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['GZIP', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.0,gzip;q=0', null],
  ['gzip;q=1.0, br;q=0.1', 'br'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['*;q=0', null],
  ['identity', null],
  ['', null],
  [null, null],
])('"%s" is answered as %s', (asked, expected) => {
  expect(chosenEncoding(asked)).toBe(expected)
})
