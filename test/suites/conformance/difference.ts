/** Where two answers differ first, in words; null where they are the same. */
export function difference(a: unknown, b: unknown, path = 'answer'): string | null {
  if (Object.is(a, b)) return null
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) {
    return `${path}: ${JSON.stringify(a)} against ${JSON.stringify(b)}`
  }
  if (Array.isArray(a) && Array.isArray(b) && a.length !== b.length) {
    return `${path}: ${a.length} against ${b.length} items: ${JSON.stringify(a)} against ${JSON.stringify(b)}`
  }
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const found = difference(a[key], b[key], `${path}.${key}`)
    if (found) return `${found}${'id' in a ? `, of ${JSON.stringify(a['id'])}` : ''}`
  }
  return null
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
