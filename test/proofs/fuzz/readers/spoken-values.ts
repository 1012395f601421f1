import fc from 'fast-check'
import { readMoment, readMomentAhead, readOutage } from '../../../../src/cli/option-values.ts'
import { parseDuration } from '../../../../src/duration.ts'
import { storableText } from '../../../../src/job/execution/payload.ts'
import { requireName } from '../../../../src/job/name.ts'
import { type CursorShape, Cursors } from '../../../../src/service/cursor.ts'
import { readExecutionQuery, readJobQuery } from '../../../../src/service/search/queries.ts'
import type { Range } from '../../../../src/service/search/tokens.ts'
import { readText } from '../../../../src/service/sent-values.ts'
import { searchText, soughtText } from '../../../../src/store/search-text.ts'
import { formatInstant, formatTimeOfDay, instantOf, parseTimeOfDay } from '../../../../src/time/instant.ts'
import { type Check, check } from '../check.ts'
import { reading, requireEqual, requireThat, within } from '../expectations.ts'
import { hostileValue } from '../json-damage.ts'
import { anyText, anyTextOrLong, damaged } from '../texts.ts'

const READ_MS = 250
const NOW = Date.UTC(2026, 0, 15, 12)
const MONTHS = 30 * 86_400_000

const unit = fc.constantFrom(
  'ms',
  's',
  'sec',
  'seconds',
  'm',
  'min',
  'Minutes',
  'h',
  'hour',
  'd',
  'days',
  'w',
  'y',
  'M',
  'x',
)
const spokenDuration = fc
  .array(fc.tuple(fc.oneof(fc.nat(), fc.double({ min: 0, noNaN: true }).map(String)), fc.constantFrom('', ' '), unit), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.map(([count, gap, name]) => `${count}${gap}${name}`).join(' '))

const spokenInstant = fc.oneof(
  fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  fc
    .tuple(fc.nat(9999), fc.nat(14), fc.nat(33))
    .map(([year, month, day]) => `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`),
)

function pad(value: number, length: number): string {
  return String(value).padStart(length, '0')
}

const spoken = fc.oneof(spokenDuration, spokenInstant, damaged(fc.oneof(spokenDuration, spokenInstant)), anyTextOrLong)

function requireInstant(at: number): void {
  requireThat(Number.isFinite(Date.parse(formatInstant(at))) && instantOf(at, 'at') === at, () => `${at} is no instant`)
}

const durations = check(
  {
    target: 'readers',
    name: 'durations, instants and times of day are read exactly, or refused',
    inputs: 'durations, instants and times of day',
  },
  () =>
    fc.property(spoken, fc.integer({ min: 0, max: 86_399_999 }), hostileValue, (text, millisecond, value) => {
      const duration = within(READ_MS, 'a duration', () => reading(() => parseDuration(text), ['duration.invalid']))
      if ('value' in duration)
        requireThat(Number.isSafeInteger(duration.value) && duration.value >= 0, () => `${duration.value} ms`)
      const at = reading(() => instantOf(text, 'at'), ['instant.invalid'])
      if ('value' in at) requireEqual(instantOf(formatInstant(at.value), 'at'), at.value, 'an instant')
      reading(() => parseTimeOfDay(text, 'from'), ['time_of_day.invalid'])
      requireEqual(parseTimeOfDay(formatTimeOfDay(millisecond), 'from'), millisecond, 'a time of day')
      reading(() => parseDuration(value as never), ['duration.invalid'])
      reading(() => instantOf(value as never, 'at'), ['instant.invalid'])
      reading(() => parseTimeOfDay(value as never, 'from'), ['time_of_day.invalid'])
    }),
)

const moments = check(
  {
    target: 'readers',
    name: 'moments of the command line are instants, or refused',
    inputs: 'moments and outages as people type them',
  },
  () =>
    fc.property(spoken, spoken, fc.constantFrom('UTC', 'America/Sao_Paulo', 'Pacific/Apia'), (text, other, zone) => {
      const codes = ['option.invalid']
      for (const read of [readMoment, readMomentAhead]) {
        const moment = within(READ_MS, 'a moment', () =>
          reading(() => read(text, '--since', { now: NOW, zone }), codes),
        )
        if ('value' in moment) requireInstant(moment.value)
      }
      for (const typed of [text, `${text}/${other}`]) {
        const outage = reading(() => readOutage(typed, NOW), ['simulation.invalid', 'instant.invalid'])
        if (!('value' in outage)) continue
        requireInstant(outage.value.from)
        requireInstant(outage.value.to)
      }
    }),
)

const token = fc.tuple(
  fc.constantFrom('status', 'Status', 'tag', 'type', 'priority', 'after', 'before', 'job', 'stauts'),
  fc.array(fc.oneof(fc.constantFrom('failed', 'PAUSED', 'high', '2d', '2026-01-31', '"two words"', '', '"'), spoken), {
    minLength: 1,
    maxLength: 3,
  }),
)
const search = fc
  .array(
    fc.oneof(
      token.map(([key, values]) => `${key}:${values.join(',')}`),
      fc.constantFrom('close', '"daily close"', '"', '%', '_', '\\', '*'),
      anyText,
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(' '))

const searches = check(
  { target: 'readers', name: 'what is typed into a search is read, or refused with the place', inputs: 'search texts' },
  () =>
    fc.property(fc.oneof(search, damaged(search), anyTextOrLong), (text) => {
      for (const read of [readJobQuery, readExecutionQuery]) {
        const query = within(READ_MS, 'a search', () =>
          reading(() => read(text, NOW), ['validation_failed', 'search_invalid']),
        )
        if (!('value' in query)) continue
        for (const at of instantsIn(query.value)) requireInstant(at)
      }
      const job = { name: text, details: { description: text } } as never
      requireThat(searchText(job).includes(soughtText(text)), () => 'a job is not found by its own name')
    }),
)

function instantsIn(query: Range & { readonly ran?: Range | undefined }): number[] {
  return [query.from, query.until, query.ran?.from, query.ran?.until].filter((at) => at !== undefined)
}

const SHAPES: readonly CursorShape[] = [['id'], ['text', 'id'], ['instant', 'id'], ['count'], ['instant', 'text', 'id']]
const ID = '0190a4b2-0000-7000-8000-00000000000f'
const place = fc.constantFrom(...SHAPES).chain((shape) =>
  fc.tuple(
    fc.constant(shape),
    fc.tuple(
      ...shape.map((kind) => {
        if (kind === 'id') return fc.constant<string | number | null>(ID)
        if (kind === 'text') return fc.string({ unit: 'grapheme', maxLength: 100 })
        return kind === 'count' ? fc.integer({ min: 1 }) : fc.option(fc.integer({ min: 0, max: NOW + MONTHS }))
      }),
    ),
  ),
)

const cursors = check(
  { target: 'readers', name: 'a cursor is taken back as it was given, and no other is', inputs: 'cursors' },
  () =>
    fc.property(
      place,
      anyText,
      anyText,
      fc.boolean(),
      damaged(fc.constant('')),
      ([shape, at], tenant, other, isDamaged, noise) => {
        const cursors = new Cursors('secret')
        const written = cursors.write(at, [tenant, 'jobs'])
        requireEqual(cursors.read(written, [tenant, 'jobs'], shape), at, 'a cursor')
        const changed = isDamaged ? written.slice(0, -1) + noise : noise
        const codes = ['invalid_cursor']
        const forged = within(READ_MS, 'a cursor', () =>
          reading(() => cursors.read(changed, [tenant, 'jobs'], shape), codes),
        )
        if ('value' in forged) requireEqual(forged.value, at, 'a damaged cursor that is taken')
        const elsewhere = reading(() => cursors.read(written, [other, 'jobs'], shape), codes)
        if (other !== tenant) requireThat('refusal' in elsewhere, () => 'the cursor of another tenant is taken')
      },
    ),
)

/** What must not be left in a name. */
const UNSEEN = /[\p{Cc}\p{Surrogate}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u

const names = check(
  {
    target: 'readers',
    name: 'names and texts that people give are visible and storable, or refused',
    inputs: 'names and texts of jobs',
  },
  () =>
    fc.property(
      fc.oneof(anyTextOrLong, damaged(fc.constant('Fechamento diário'))),
      hostileValue,
      fc.boolean(),
      (text, value, hasLines) => {
        const name = within(READ_MS, 'a name', () => reading(() => requireName(text, 'name'), ['name.invalid']))
        if ('value' in name) {
          requireThat(!UNSEEN.test(name.value), () => 'a name with what cannot be seen')
          requireEqual(requireName(name.value, 'name'), name.value, 'a name read again')
        }
        reading(() => requireName(value, 'name'), ['name.invalid'])
        const codes = ['required', 'length_invalid', 'characters_forbidden', 'surrounding_space', 'type_invalid']
        const rules = { min: 3, max: 255, hasLines }
        const read = within(READ_MS, 'a text', () => reading(() => readText(text, 'description', rules), codes))
        if ('value' in read) requireEqual(readText(read.value, 'description', rules), read.value, 'a text read again')
        reading(() => readText(value, 'description', rules), codes)
        const stored = storableText(text, 100)
        requireThat(
          !/\p{Surrogate}/u.test(stored) && !stored.includes('\0') && stored.length <= 101,
          () => `cannot be stored: ${JSON.stringify(stored)}`,
        )
      },
    ),
)

export const spokenValueChecks: readonly Check[] = [durations, moments, searches, cursors, names]
