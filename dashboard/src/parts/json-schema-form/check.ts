import { type JsonSchema, type Shape, shapeOf } from './shape.ts'
import { fieldsOf, fits, pointerInto } from './value.ts'

/** What is wrong with a part of a value, for a language to say. */
export interface Finding {
  readonly pointer: string
  readonly code:
    | 'required'
    | 'type'
    | 'integer'
    | 'minimum'
    | 'maximum'
    | 'above'
    | 'below'
    | 'minLength'
    | 'maxLength'
    | 'pattern'
    | 'choice'
    | 'minItems'
    | 'maxItems'
  /** The bound that is not kept. */
  readonly bound?: number | undefined
}

type Found = Pick<Finding, 'code' | 'bound'>

const DEEPEST = 12
/** Longer texts are left to the server. */
const LONGEST_MATCHED = 10_000

/** What can be told to be wrong with a value before it is sent. What a schema says that no control knows is left to the server. */
export function findingsOf(schema: JsonSchema, value: unknown): readonly Finding[] {
  return [...check(schema, value, schema, '', !('default' in schema), 0)]
}

function* check(
  schema: JsonSchema,
  value: unknown,
  root: JsonSchema,
  pointer: string,
  isRequired: boolean,
  depth: number,
): Generator<Finding> {
  const { shape, isNullable } = shapeOf(schema, root)
  if (value === undefined) {
    if (isRequired && shape.kind !== 'json') yield { pointer, code: 'required' }
    return
  }
  if (value === null && isNullable) return
  if (shape.kind === 'json' || depth > DEEPEST) return
  const found = faultOf(shape, value)
  if (found) {
    yield { pointer, ...found }
    return
  }
  if (shape.kind === 'object') {
    for (const field of shape.fields) {
      const inside = fieldsOf(value)[field.name]
      yield* check(field.schema, inside, root, pointerInto(pointer, field.name), field.isRequired, depth + 1)
    }
  } else if (shape.kind === 'list') {
    for (const [at, item] of (value as readonly unknown[]).entries()) {
      yield* check(shape.item, item, root, pointerInto(pointer, at), true, depth + 1)
    }
  }
}

function faultOf(shape: Exclude<Shape, { kind: 'json' }>, value: unknown): Found | null {
  if (shape.kind === 'choice') return shape.choices.some((choice) => choice === value) ? null : { code: 'choice' }
  if (value === null || !fits(value, shape)) return { code: 'type' }
  switch (shape.kind) {
    case 'text':
      return faultOfText(shape, value as string)
    case 'number':
      return faultOfNumber(shape, value as number)
    case 'list':
      return faultOfList(shape, (value as readonly unknown[]).length)
    case 'boolean':
    case 'moment':
    case 'object':
      return null
  }
}

function faultOfText(shape: Extract<Shape, { kind: 'text' }>, text: string): Found | null {
  const { minLength, maxLength, pattern } = shape
  // JSON Schema counts characters, not the halves that JavaScript has of some.
  const { length } = Array.from(text)
  if (minLength !== null && length < minLength) return { code: 'minLength', bound: minLength }
  if (maxLength !== null && length > maxLength) return { code: 'maxLength', bound: maxLength }
  return pattern !== null && text.length <= LONGEST_MATCHED && !matches(text, pattern) ? { code: 'pattern' } : null
}

function matches(text: string, pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return true
  }
}

function faultOfNumber(shape: Extract<Shape, { kind: 'number' }>, number: number): Found | null {
  const { isInteger, minimum, maximum, isOpen } = shape
  if (isInteger && !Number.isInteger(number)) return { code: 'integer' }
  if (minimum !== null && (isOpen.minimum ? number <= minimum : number < minimum)) {
    return { code: isOpen.minimum ? 'above' : 'minimum', bound: minimum }
  }
  if (maximum !== null && (isOpen.maximum ? number >= maximum : number > maximum)) {
    return { code: isOpen.maximum ? 'below' : 'maximum', bound: maximum }
  }
  return null
}

function faultOfList({ minItems, maxItems }: Extract<Shape, { kind: 'list' }>, length: number): Found | null {
  if (minItems !== null && length < minItems) return { code: 'minItems', bound: minItems }
  if (maxItems !== null && length > maxItems) return { code: 'maxItems', bound: maxItems }
  return null
}
