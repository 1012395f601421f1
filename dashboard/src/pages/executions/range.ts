import { MINUTE_MS } from '../../../../src/duration.ts'
import { offsetMinutes } from '../../language/zone.ts'
import { type Filter, filtersOf, replaceFilters } from '../../parts/search/filters.ts'

/** How far back a list goes: a length of time, some range of one's own, or all there is. */
export type Span = (typeof SPANS)[number] | 'all' | 'own'

export const SPANS = ['1h', '1d', '7d', '30d'] as const
const KEYS = ['after', 'before']

/** What a search says of time, as one of the choices. */
export function spanOf(query: string): Span {
  const said = filtersOf(query).filter(({ key }) => KEYS.includes(key))
  if (said.length === 0) return 'all'
  const [only] = said
  const known = SPANS.find((span) => span === only?.value.toLowerCase())
  return said.length === 1 && only?.key === 'after' && known !== undefined ? known : 'own'
}

/** The search with another length of time. */
export function withSpan(query: string, span: (typeof SPANS)[number] | 'all'): string {
  return replaceFilters(query, KEYS, span === 'all' ? [] : [{ key: 'after', value: span }])
}

/** The search with a range from one wall time to another, as a field has them; what is empty has no end. */
export function withRange(query: string, from: string, to: string, timeZone: string): string {
  const filters: Filter[] = []
  for (const [key, wall] of [
    ['after', from],
    ['before', to],
  ] as const) {
    const at = instantOfWall(wall, timeZone)
    if (at !== null) filters.push({ key, value: new Date(at).toISOString().replace('.000Z', 'Z') })
  }
  return replaceFilters(query, KEYS, filters)
}

/** The wall times that a search says, for fields; what is no instant, such as `2d`, is left out. */
export function wallsOf(query: string, timeZone: string): readonly [string, string] {
  const said = filtersOf(query)
  const wall = (key: string) => {
    const value = said.find((filter) => filter.key === key)?.value
    const at = value === undefined || !/^\d{4}-/.test(value) ? Number.NaN : Date.parse(value)
    return Number.isNaN(at) ? '' : wallOfInstant(at, timeZone)
  }
  return [wall('after'), wall('before')]
}

/** When a clock in a zone shows a time; null for none. A time that occurs twice is the first, one that is left out the one after it. */
export function instantOfWall(wall: string, timeZone: string): number | null {
  const asUtc = Date.parse(`${wall}Z`)
  if (Number.isNaN(asUtc)) return null
  const offsets = [-1, 1].map((side) => offsetMinutes(asUtc + side * 1_440 * MINUTE_MS, timeZone))
  const candidates = offsets.map((offset) => asUtc - offset * MINUTE_MS).toSorted((one, other) => one - other)
  const shown = candidates.find((at) => at + offsetMinutes(at, timeZone) * MINUTE_MS === asUtc)
  return shown ?? candidates.at(-1) ?? null
}

function wallOfInstant(at: number, timeZone: string): string {
  return new Date(at + offsetMinutes(at, timeZone) * MINUTE_MS).toISOString().slice(0, 16)
}
