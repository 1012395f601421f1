import type { SearchKey } from './suggest.ts'

/** A length of time back from now, a date or an instant. */
const WHEN = /^(\d+(\.\d+)?(ms|[smhdw])|\d{4}-\d{2}-\d{2}(t\S+z)?)$/iu

const SPANS: readonly (readonly [string, string])[] = [
  ['1h', '1 h'],
  ['12h', '12 h'],
  ['1d', '24 h'],
  ['2d', '48 h'],
  ['7d', '7 d'],
  ['30d', '30 d'],
]

type Values = Pick<SearchKey, 'values' | 'accepts'>

/** Any text; these are known so far. */
export function anyText(known: readonly string[]): Values {
  return { values: known.map((value) => ({ value, name: value })), accepts: /./u }
}

/** When something was: so long ago, or on a date. */
export function anyTime(ago: (span: string) => string): Values {
  return { values: SPANS.map(([value, span]) => ({ value, name: ago(span) })), accepts: WHEN }
}
