/** How deep values may be nested. */
export const MAX_DEPTH = 500

export interface PlainRules {
  readonly maxDepth: number
  /** Fields that are undefined are omitted, and -0 becomes 0, as in JSON. */
  readonly isLoose: boolean
}

export const EXACT: PlainRules = { maxDepth: MAX_DEPTH, isLoose: false }
/** As deep as the stack allows, as `JSON.stringify` is. */
export const AS_JSON: PlainRules = { maxDepth: Number.POSITIVE_INFINITY, isLoose: true }

/**
 * Whether JSON gives a value back as it is. False also where it is not known: for what is deep, large or cannot be read. Keys that are symbols are no data.
 * Costs a fraction of what writing the text does, and makes nothing.
 */
export function isPlain(value: unknown, maxLength: number, rules: PlainRules): boolean {
  return leftAfter(value, maxLength, 0, rules) >= 0
}

const { getPrototypeOf, prototype: plainPrototype } = Object

/** How many characters are left when it is written; less than none where it is not plain. */
function leftAfter(value: unknown, left: number, depth: number, rules: PlainRules): number {
  switch (typeof value) {
    case 'string':
      return left - value.length - 2
    case 'number':
      return isPlainNumber(value, rules.isLoose) ? left - 1 : -1
    case 'boolean':
      return left - 4
    case 'object':
      if (value === null) return left - 4
      if (depth === rules.maxDepth) return -1
      if (Array.isArray(value)) return leftAfterList(value, left, depth + 1, rules)
      return leftAfterFields(value, left, depth + 1, rules)
    case 'undefined':
    case 'bigint':
    case 'function':
    case 'symbol':
      return -1
  }
}

function leftAfterList(list: readonly unknown[], left: number, depth: number, rules: PlainRules): number {
  let rest = left - 2
  for (let index = 0; index < list.length && rest >= 0; index += 1)
    rest = leftAfter(list[index], rest - 1, depth, rules)
  return rest
}

function leftAfterFields(fields: object, left: number, depth: number, rules: PlainRules): number {
  const prototype: unknown = getPrototypeOf(fields)
  if (prototype !== plainPrototype && prototype !== null) return -1
  let rest = left - 2
  for (const key in fields) {
    const value = (fields as Record<string, unknown>)[key]
    if (value === undefined && rules.isLoose) continue
    rest = leftAfter(value, rest - key.length - 3, depth, rules)
    if (rest < 0) return -1
  }
  return rest
}

export function isPlainNumber(value: number, isLoose: boolean): boolean {
  return value === 0 ? isLoose || 1 / value > 0 : Number.isFinite(value)
}
