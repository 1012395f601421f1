/** 1 MiB, for an input as well as for a result. */
export const MAX_PAYLOAD_BYTES = 1_048_576

/** Before JSON that has tags for what JSON has no word for: see `durable/codec`. */
const TAGGED = 'T'

/** Whether two stored texts hold the same data, whatever the order of their fields. What is no JSON has to be the same text. */
export function isSamePayload(a: string | null, b: string | null): boolean {
  if (a === b) return true
  if (a === null || b === null) return false
  return canonicalText(a) === canonicalText(b)
}

/** Whether two values are the same as JSON, whatever the order of their fields. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return isSamePayload(JSON.stringify(a ?? null), JSON.stringify(b ?? null))
}

/** A stored text such that two that hold the same data have the same one. */
export function canonicalText(text: string): string {
  const mark = text.startsWith(TAGGED) ? TAGGED : ''
  try {
    return mark + inOrder(JSON.parse(text.slice(mark.length)))
  } catch {
    return text
  }
}

function inOrder(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) => {
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each
    return Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
}

/** Text as PostgreSQL can hold it: no NUL and no half of a character; cut where it is longer than allowed. */
export function storableText(text: string, maxLength: number): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
  return cut.replaceAll('\0', '\u2400').replace(/\p{Surrogate}/gu, '\ufffd')
}
