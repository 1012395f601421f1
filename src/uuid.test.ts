import { describe, expect, it } from 'vitest'
import { refusal } from '../test/harness/instants.ts'
import { firstUuidAt, instantOfUuid, requireUuid, uuidFrom, uuidInPlaceOf } from './uuid.ts'

const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const NOW = Date.UTC(2026, 0, 1)

/** Words that differ, so that nothing depends on chance being the same. */
function words(): () => number {
  let state = 1
  return () => {
    state = Math.imul(state, 1_664_525) + 1_013_904_223
    return state >>> 0
  }
}

describe('a UUID', () => {
  it.each([0, 0xffff_ffff, 0x8000_0000, 0x1234_5678])('is of version 7 whatever chance brings: %i', (word) => {
    expect(uuidFrom(() => word)(NOW)).toMatch(VERSION_7)
  })

  it('has the layout of RFC 9562', () => {
    expect(uuidFrom(() => 0xffff_ffff)(0x0123_4567_89ab)).toBe('01234567-89ab-7000-bfff-ffffffffffff')
  })

  it.each([1, NOW, Date.UTC(1970, 0, 1, 0, 0, 1), Date.UTC(9999, 11, 31), 2 ** 48 - 1])(
    'tells the instant %i it was made at',
    (at) => {
      expect(instantOfUuid(uuidFrom(words())(at))).toBe(at)
    },
  )

  it('is larger than the one before, within a millisecond too', () => {
    const make = uuidFrom(words())
    const ids = Array.from({ length: 20_000 }, () => make(NOW))
    expect(ids.toSorted()).toEqual(ids)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.every((id) => VERSION_7.test(id))).toBe(true)
    // 4,096 to a millisecond: the instant runs a little ahead.
    expect(instantOfUuid(ids.at(-1) ?? '')).toBe(NOW + 4)
  })

  it('is larger than the one before, though the clock was set back', () => {
    const make = uuidFrom(words())
    const ids = [NOW, NOW - 3_600_000, NOW - 3_600_000, NOW - 1, NOW, NOW + 1].map(make)
    expect(ids.toSorted()).toEqual(ids)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('takes what is in between of an instant and no more', () => {
    const first = firstUuidAt(NOW)
    const id = uuidFrom(() => 0)(NOW)
    expect(first).toHaveLength(36)
    expect(first < id).toBe(true)
    expect(id < firstUuidAt(NOW + 1)).toBe(true)
    expect(instantOfUuid(first)).toBe(NOW)
  })
})

describe('an id in the place of another', () => {
  it('lies between that id and the next one of its maker, however often it is superseded', () => {
    const make = uuidFrom(() => 0xffffffff)
    const [first, second] = [make(NOW), make(NOW)]
    let word = 0
    const fresh = uuidFrom(() => (word += 1))
    let id = '019b76da-a800-7000-8000-000000000000'
    for (const each of [first, uuidFrom(() => 0)(NOW)]) {
      id = each
      for (let times = 0; times < 5; times += 1) {
        const next = uuidInPlaceOf(id, fresh(NOW + 60_000))
        expect(requireUuid(next, 'Execution id')).toBe(next)
        expect(next).not.toBe(id)
        expect(next < second).toBe(true)
        expect(instantOfUuid(next)).toBe(NOW)
        id = next
      }
    }
    expect(
      uuidInPlaceOf('019b76da-a800-7000-8000-00000000ffff', fresh(NOW)) > '019b76da-a800-7000-8000-00000000ffff',
    ).toBe(true)
  })
})

describe('an id', () => {
  it.each([
    ['as it is stored', '019b76da-a800-7000-8000-000000000000', '019b76da-a800-7000-8000-000000000000'],
    ['in capitals', '019B76DA-A800-7000-8000-00000000ABCD', '019b76da-a800-7000-8000-00000000abcd'],
    ['of another version', '123e4567-e89b-42d3-a456-426614174000', '123e4567-e89b-42d3-a456-426614174000'],
  ])('is accepted %s', (_how, id, stored) => {
    expect(requireUuid(id, 'Execution id')).toBe(stored)
  })

  it.each<[unknown]>([
    [''],
    ['x'],
    ['019b76daa80070008000000000000000'],
    ['019b76da-a800-7000-8000-00000000000g'],
    ['{019b76da-a800-7000-8000-000000000000}'],
    ['019b76da-a800-7000-8000-000000000000\n'],
    [7],
    [null],
    [undefined],
  ])('is not %j', (value) => {
    const error = refusal(() => requireUuid(value, 'Execution id'))
    expect(error.code).toBe('id.invalid')
    expect(error.message).toMatch(/^Execution id must be a UUID, got .+\.$/)
  })
})
