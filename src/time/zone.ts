import { DAY_MS } from '../duration.ts'
import { InvalidInputError, quote } from '../errors.ts'
import { nearest } from '../nearest.ts'
import { dayOf } from './civil.ts'

/** A stretch of time over which a zone keeps one offset. Local time is instant + offset, in milliseconds. */
export interface ZoneSegment {
  /** First instant of the stretch. */
  readonly start: number
  /** First instant after it. */
  readonly end: number
  readonly offset: number
  /** The offset just before `start`: larger than `offset` where the clock goes back, smaller where it goes forward. */
  readonly before: number
  /** The offset at `end`. */
  readonly after: number
}

// Segments are read when first asked for, a little over a year at a time.
const BUCKET_MS = 400 * DAY_MS

// Read with some days around, so that a clock change close to where a bucket begins is seen whole.
const MARGIN_MS = 2 * DAY_MS

/** No zone has ever been further from UTC than this, local mean times included. */
const MAX_OFFSET_MS = 16 * 3_600_000

/** A zone's transitions as far as they were read; shared by all spellings of its id. */
interface ZoneTable {
  readonly offsetAt: OffsetReader
  readonly buckets: Map<number, readonly ZoneSegment[]>
}

/** An IANA time zone as a cached table of its transitions: after the first look at a year, `Intl` is not asked again. */
export class Zone {
  readonly id: string
  readonly #table: ZoneTable
  #latest: ZoneSegment

  constructor(id: string, table: ZoneTable, latest: ZoneSegment = NOWHERE) {
    this.id = id
    this.#table = table
    this.#latest = latest
  }

  segmentAt(instant: number): ZoneSegment {
    const latest = this.#latest
    if (instant >= latest.start && instant < latest.end) return latest
    const index = Math.floor(instant / BUCKET_MS)
    for (const segment of this.#table.buckets.get(index) ?? this.#read(index)) {
      if (instant < segment.end) {
        this.#latest = segment
        return segment
      }
    }
    throw new InvalidInputError('instant.invalid', `Time zone ${this.id} has no offset at ${instant}.`, {
      case: 'offset',
      timeZone: this.id,
      received: instant,
    })
  }

  /** The point on the local time line that clocks on the wall show at an instant. */
  toLocal(instant: number): number {
    return instant + this.segmentAt(instant).offset
  }

  /**
   * The earliest segment in which the wall shows this local time. Where it never does, because the clock goes forward over
   * it, the segment after that gap: its local start is then later than `local`.
   */
  segmentOfLocal(local: number): ZoneSegment {
    let segment = this.segmentAt(local - MAX_OFFSET_MS)
    while (local >= segment.end + segment.offset) segment = this.segmentAt(segment.end)
    return segment
  }

  /**
   * The instant at which the wall shows this local time: the first or the last, where the clock goes back over it. A local
   * time in a gap is read as on a clock that was not yet put forward: 02:30 in a gap from 02:00 to 03:00 is the instant at
   * which the wall shows 03:30.
   */
  toInstant(local: number, pass: 'first' | 'last' = 'first'): number {
    const segment = this.segmentOfLocal(local)
    if (isInGap(local, segment)) return local - segment.before
    const comesAgain = pass === 'last' && local >= segment.end + segment.after
    return local - (comesAgain ? segment.after : segment.offset)
  }

  /** By how much the clock goes forward where it goes over this local time, so that the wall never shows it; else 0. */
  gapAt(local: number): number {
    const segment = this.segmentOfLocal(local)
    return isInGap(local, segment) ? segment.offset - segment.before : 0
  }

  #read(index: number): readonly ZoneSegment[] {
    const [from, to] = [index * BUCKET_MS, (index + 1) * BUCKET_MS]
    const segments = readSegments(this.#table.offsetAt, from - MARGIN_MS, to + MARGIN_MS).filter(
      ({ start, end }) => start < to && end > from,
    )
    this.#table.buckets.set(index, segments)
    return segments
  }
}

function isInGap(local: number, segment: ZoneSegment): boolean {
  return local < segment.start + segment.offset
}

const NOWHERE: ZoneSegment = { start: 0, end: 0, offset: 0, before: 0, after: 0 }

export const UTC = new Zone('UTC', { offsetAt: () => 0, buckets: new Map() }, endlessSegment(0))

/** Ids are few; a flood of odd spellings is forgotten again. */
const MAX_ZONES = 2_000
const zones = new Map<string, Zone>()
const tables = new Map<string, ZoneTable>()

/** The zone of an IANA id, `UTC` where none is given. */
export function zoneOf(id = 'UTC'): Zone {
  const known = zones.get(id)
  if (known) return known
  // `Intl` also accepts offsets such as +03:00, which are no zones: they know no daylight saving time.
  if (typeof id !== 'string' || !/^[A-Za-z][\w/+-]{1,62}$/.test(id)) throw unknownZone(id)
  const zone = readZone(id)
  if (zones.size >= MAX_ZONES) zones.clear()
  zones.set(id, zone)
  return zone
}

function readZone(id: string): Zone {
  const format = formatIn(id)
  const { timeZone } = format.resolvedOptions()
  if (timeZone === 'UTC') return UTC
  const table = tables.get(timeZone) ?? { offsetAt: (instant: number) => offsetIn(format, instant), buckets: new Map() }
  tables.set(timeZone, table)
  // `Intl` takes any case. An alias keeps its spelling, unless that is plainly not the one of the IANA list.
  const isSpelled = id !== id.toLowerCase() && timeZone.toLowerCase() !== id.toLowerCase()
  return new Zone(isSpelled ? id : timeZone, table)
}

function formatIn(id: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', { ...WALL_FIELDS, timeZone: id })
  } catch {
    throw unknownZone(id)
  }
}

const WALL_FIELDS: Intl.DateTimeFormatOptions = {
  hourCycle: 'h23',
  era: 'narrow',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
}

const WALL_TEXT = /^(\d+)\/(\d+)\/(\d+) ([AB]), (\d+):(\d+):(\d+)$/

/** How far a formatter's zone is ahead of UTC, by reading the wall time that it prints. */
function offsetIn(format: Intl.DateTimeFormat, instant: number): number {
  const [, month, day, yearOfEra, era, hour, minute, second] = WALL_TEXT.exec(format.format(instant)) ?? []
  const year = era === 'B' ? 1 - Number(yearOfEra) : Number(yearOfEra)
  const secondOfDay = (Number(hour) * 60 + Number(minute)) * 60 + Number(second)
  const local = dayOf(year, Number(month), Number(day)) * DAY_MS + secondOfDay * 1000
  return local - Math.floor(instant / 1000) * 1000
}

function unknownZone(id: unknown): InvalidInputError {
  const guess = typeof id === 'string' ? nearest(id, Intl.supportedValuesOf('timeZone')) : undefined
  const hint = guess === undefined ? '' : ` Did you mean "${guess}"?`
  return new InvalidInputError(
    'zone.unknown',
    `Time zone must be an IANA name such as "America/Sao_Paulo" or "UTC", got ${quote(id)}.${hint}`,
    { received: id, accepted: 'an IANA time zone', suggestion: guess },
  )
}

/** Answers how far local time is ahead of UTC at an instant, in milliseconds. */
type OffsetReader = (instant: number) => number

// In no zone since 1900 do two changes that cancel each other out lie closer than 7 days (Recife, October 2000).
const PROBE_MS = 5 * 86_400_000

/** All segments of a zone between two whole seconds, found by probing its offset and narrowing each change to the second. */
function readSegments(offsetAt: OffsetReader, from: number, to: number): readonly ZoneSegment[] {
  const segments: ZoneSegment[] = []
  let start = from
  let before = offsetAt(from - 1000)
  let offset = offsetAt(from)
  for (const end of findChanges(offsetAt, from, to)) {
    const after = offsetAt(end)
    segments.push({ start, end, offset, before, after })
    start = end
    before = offset
    offset = after
  }
  segments.push({ start, end: to, offset, before, after: offsetAt(to) })
  return segments
}

function findChanges(offsetAt: OffsetReader, from: number, to: number): number[] {
  const changes: number[] = []
  let low = from
  let lowOffset = offsetAt(from)
  for (let high = low; high < to - 1000; ) {
    high = Math.min(high + PROBE_MS, to - 1000)
    const highOffset = offsetAt(high)
    // One probe may span more than one change: each is narrowed to in turn.
    while (lowOffset !== highOffset) {
      low = firstDifference(offsetAt, low, high, lowOffset)
      lowOffset = offsetAt(low)
      changes.push(low)
    }
    low = high
  }
  return changes
}

/** The first whole second after `low`, up to `high`, at which the offset is no longer `lowOffset`. */
function firstDifference(offsetAt: OffsetReader, low: number, high: number, lowOffset: number): number {
  let same = low / 1000
  let different = high / 1000
  while (different - same > 1) {
    const middle = Math.floor((same + different) / 2)
    if (offsetAt(middle * 1000) === lowOffset) same = middle
    else different = middle
  }
  return different * 1000
}

/** The one segment of a zone that never changes its offset. */
function endlessSegment(offset: number): ZoneSegment {
  return { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY, offset, before: offset, after: offset }
}
