/**
 * A copy of plain data that nobody can change, so that what is stored and what is answered may be the same object. As in JSON, a
 * property without a value is no property.
 */
export function frozenCopy<Value>(value: Value): Value {
  return copy(value) as Value
}

function copy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map(copy))
  // Entries, not assignments: a property may be named __proto__.
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.freeze(Object.fromEntries(entries.map(([name, each]) => [name, copy(each)])))
}
