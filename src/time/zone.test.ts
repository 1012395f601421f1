import { describe, expect, it } from 'vitest'
import { at, refusal, wall } from '../../test/harness/instants.ts'
import { UTC, zoneOf } from './zone.ts'

const HOUR = 3_600_000

describe('the id of a zone', () => {
  it.each([
    ['America/Sao_Paulo', 'America/Sao_Paulo'],
    ['america/sao_paulo', 'America/Sao_Paulo'],
    ['AMERICA/NEW_YORK', 'America/New_York'],
    ['America/Argentina/Buenos_Aires', /^America\/(?:Argentina\/)?Buenos_Aires$/],
    ['EST5EDT', /./],
    ['Etc/GMT+12', 'Etc/GMT+12'],
  ])('%s is known', (id, canonical) => {
    expect(zoneOf(id).id).toEqual(typeof canonical === 'string' ? canonical : expect.stringMatching(canonical))
  })

  it.each([undefined, 'UTC', 'utc', 'Utc', 'Etc/UTC', 'etc/utc', 'GMT', 'Etc/GMT', 'Zulu', 'Etc/UCT'])(
    '%s means UTC',
    (id) => {
      expect(zoneOf(id)).toBe(UTC)
    },
  )

  it('shares one table of changes, whatever its case', () => {
    expect(zoneOf('EUROPE/lisbon').segmentAt(0)).toBe(zoneOf('Europe/Lisbon').segmentAt(0))
  })

  it.each([
    ['a name that does not exist', 'Mars/X'],
    ['a path', '../../etc/passwd'],
    ['an offset', '+03:00'],
    ['an offset of hours', '-03'],
    ['an offset behind a name', 'UTC+3'],
    ['an offset with a sign of its own', '\u221203:00'],
    ['empty text', ''],
    ['a blank', ' '],
    ['a blank after it', 'UTC '],
    ['a line break after it', 'America/New_York\n'],
    ['NUL inside', 'America/New\0York'],
    ['a blank for the underscore', 'America/New York'],
    ['10 kB', 'A'.repeat(10_240)],
    ['a name of the prototype', 'constructor'],
    ['a number', 3],
    ['null', null],
    ['an object', { timeZone: 'UTC' }],
  ])('is not %s', (_what, id) => {
    const error = refusal(() => zoneOf(id as string))
    expect(error.code).toBe('zone.unknown')
    expect(error.message).toMatch(/^Time zone must be an IANA name such as "America\/Sao_Paulo" or "UTC", got .*\./)
    expect(error.message.length).toBeLessThan(250)
  })

  it.each([
    ['America/SaoPaulo', 'America/Sao_Paulo'],
    ['America/New York', 'America/New_York'],
    ['Europe/Londn', 'Europe/London'],
    ['mars', undefined],
  ])('%s, which is unknown, suggests %s', (id, suggestion) => {
    const error = refusal(() => zoneOf(id))
    expect(error.message.endsWith(suggestion === undefined ? '".' : `Did you mean "${suggestion}"?`)).toBe(true)
    expect(error.details).toMatchObject({ suggestion })
  })
})

describe('the change of an offset', () => {
  it.each([
    ['New York goes forward', 'America/New_York', '2026-03-08T07:00Z', -5, -4],
    ['New York goes back', 'America/New_York', '2026-11-01T06:00Z', -4, -5],
    ['São Paulo goes forward at midnight', 'America/Sao_Paulo', '2018-11-04T03:00Z', -3, -2],
    ['São Paulo goes back at midnight', 'America/Sao_Paulo', '2018-02-18T02:00Z', -2, -3],
    ['Lord Howe goes forward half an hour', 'Australia/Lord_Howe', '2026-10-03T15:30Z', 10.5, 11],
    ['Lord Howe goes back half an hour', 'Australia/Lord_Howe', '2026-04-04T15:00Z', 11, 10.5],
    ['Apia moves over the date line', 'Pacific/Apia', '2011-12-30T10:00Z', -10, 14],
    ['Casablanca goes back for Ramadan', 'Africa/Casablanca', '2024-03-10T02:00Z', 1, 0],
    ['Casablanca goes forward after it', 'Africa/Casablanca', '2024-04-14T02:00Z', 0, 1],
    ['Cairo goes forward on a Friday', 'Africa/Cairo', '2024-04-25T22:00Z', 2, 3],
    ['Kathmandu adds a quarter of an hour', 'Asia/Kathmandu', '1985-12-31T18:30Z', 5.5, 5.75],
    ['Dublin has its winter time', 'Europe/Dublin', '2026-10-25T01:00Z', 1, 0],
    ["St John's changes a minute after midnight", 'America/St_Johns', '2010-11-07T02:31Z', -2.5, -3.5],
    ['New York goes forward in year 9000', 'America/New_York', '9000-03-09T07:00Z', -5, -4],
  ])('is seen where %s', (_fact, id, instant, before, after) => {
    const zone = zoneOf(id)
    const change = at(instant)
    expect(zone.segmentAt(change - 1)).toMatchObject({ end: change, offset: before * HOUR, after: after * HOUR })
    expect(zone.segmentAt(change)).toMatchObject({ start: change, before: before * HOUR, offset: after * HOUR })
    expect(zone.toLocal(change) - zone.toLocal(change - 1)).toBe((after - before) * HOUR + 1)
  })

  it('is none in UTC, and none in a zone of constant offset', () => {
    expect(UTC.segmentAt(0)).toMatchObject({
      start: Number.NEGATIVE_INFINITY,
      end: Number.POSITIVE_INFINITY,
      offset: 0,
    })
    const zone = zoneOf('Etc/GMT+12')
    for (let year = 1950; year < 2100; year++) {
      expect(zone.segmentAt(Date.UTC(year, 6, 1))).toMatchObject({ offset: -12 * HOUR, before: -12 * HOUR })
    }
  })

  it('leaves no hole between two segments', () => {
    const zone = zoneOf('Europe/Lisbon')
    for (let segment = zone.segmentAt(at('1900-01-01')); segment.end < at('2050-01-01'); ) {
      const next = zone.segmentAt(segment.end)
      expect(next.offset).toBe(segment.after)
      // A segment that was read in two parts has both parts overlap; at a clock change they meet exactly.
      expect(next.start).toBeLessThanOrEqual(segment.end)
      if (segment.offset !== segment.after) expect(next).toMatchObject({ start: segment.end, before: segment.offset })
      segment = next
    }
  })
})

describe('a wall time as an instant', () => {
  const local = (text: string) => Date.parse(`${text}Z`)

  it.each([
    ['a usual time', 'America/New_York', '2026-07-01T12:00', '2026-07-01T12:00-04:00', '2026-07-01T12:00-04:00'],
    [
      'the last minute before a gap',
      'America/New_York',
      '2026-03-08T01:59',
      '2026-03-08T01:59-05:00',
      '2026-03-08T01:59-05:00',
    ],
    [
      'the first minute of a gap',
      'America/New_York',
      '2026-03-08T02:00',
      '2026-03-08T03:00-04:00',
      '2026-03-08T03:00-04:00',
    ],
    ['the middle of a gap', 'America/New_York', '2026-03-08T02:30', '2026-03-08T03:30-04:00', '2026-03-08T03:30-04:00'],
    ['the end of a gap', 'America/New_York', '2026-03-08T03:00', '2026-03-08T03:00-04:00', '2026-03-08T03:00-04:00'],
    ['a repeated hour', 'America/New_York', '2026-11-01T01:30', '2026-11-01T01:30-04:00', '2026-11-01T01:30-05:00'],
    [
      'the start of a repeated hour',
      'America/New_York',
      '2026-11-01T01:00',
      '2026-11-01T01:00-04:00',
      '2026-11-01T01:00-05:00',
    ],
    [
      'the end of a repeated hour',
      'America/New_York',
      '2026-11-01T02:00',
      '2026-11-01T02:00-05:00',
      '2026-11-01T02:00-05:00',
    ],
    ['midnight in a gap', 'America/Sao_Paulo', '2018-11-04T00:00', '2018-11-04T01:00-02:00', '2018-11-04T01:00-02:00'],
    [
      'half an hour of gap',
      'Australia/Lord_Howe',
      '2026-10-04T02:15',
      '2026-10-04T02:45+11:00',
      '2026-10-04T02:45+11:00',
    ],
    [
      'half a repeated hour',
      'Australia/Lord_Howe',
      '2026-04-05T01:45',
      '2026-04-05T01:45+11:00',
      '2026-04-05T01:45+10:30',
    ],
    ['a whole day of gap', 'Pacific/Apia', '2011-12-30T12:00', '2011-12-31T12:00+14:00', '2011-12-31T12:00+14:00'],
  ])('is found for %s', (_what, id, text, first, last) => {
    const zone = zoneOf(id)
    expect(wall(zone.toInstant(local(text)), id)).toBe(first)
    expect(wall(zone.toInstant(local(text), 'last'), id)).toBe(last)
  })

  it.each([
    ['America/New_York', '2026-03-08T01:59:59', 0],
    ['America/New_York', '2026-03-08T02:00', HOUR],
    ['America/New_York', '2026-03-08T02:59:59', HOUR],
    ['America/New_York', '2026-03-08T03:00', 0],
    ['America/New_York', '2026-11-01T01:30', 0],
    ['Australia/Lord_Howe', '2026-10-04T02:15', HOUR / 2],
    ['Pacific/Apia', '2011-12-30T12:00', 24 * HOUR],
    ['UTC', '2026-03-08T02:30', 0],
  ])('in %s, %s, lies in a gap of %i ms', (id, text, gapMs) => {
    expect(zoneOf(id).gapAt(local(text))).toBe(gapMs)
  })
})
