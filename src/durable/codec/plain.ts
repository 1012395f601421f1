/** How deep values may be nested. */
export const MAX_DEPTH = 500

/**
 * Whether JSON gives a value back as it is. False also where it is not known: for what is deep, large or cannot be read. Keys that are symbols are no data.
 * Costs a fraction of what writing the text does, and makes nothing.
 */
export function isPlain(value: unknown, maxLength: number): boolean {
  return leftAfter(value, maxLength, 0) >= 0
}

const { getPrototypeOf, prototype: plainPrototype } = Object

/** How many characters are left when it is written; less than none where it is not plain. */
function leftAfter(value: unknown, left: number, depth: number): number {
  switch (typeof value) {
    case 'string':
      return left - value.length - 2
    case 'number':
      return isPlainNumber(value) ? left - 1 : -1
    case 'boolean':
      return left - 4
    case 'object':
      if (value === null) return left - 4
      if (depth === MAX_DEPTH) return -1
      return Array.isArray(value) ? leftAfterList(value, left, depth + 1) : leftAfterFields(value, left, depth + 1)
    case 'undefined':
    case 'bigint':
    case 'function':
    case 'symbol':
      return -1
  }
}

function leftAfterList(list: readonly unknown[], left: number, depth: number): number {
  let rest = left - 2
  for (let index = 0; index < list.length && rest >= 0; index += 1) rest = leftAfter(list[index], rest - 1, depth)
  return rest
}

function leftAfterFields(fields: object, left: number, depth: number): number {
  const prototype: unknown = getPrototypeOf(fields)
  if (prototype !== plainPrototype && prototype !== null) return -1
  let rest = left - 2
  for (const key in fields) {
    rest = leftAfter((fields as Record<string, unknown>)[key], rest - key.length - 3, depth)
    if (rest < 0) return -1
  }
  return rest
}

export function isPlainNumber(value: number): boolean {
  return value === 0 ? 1 / value > 0 : Number.isFinite(value)
}
