/** JSON Schema, as a job type describes what it may be given. */
export type JsonSchema = Readonly<Record<string, unknown>>

type Scalar = string | number | boolean | null

/** By what somebody gives a value: what it is and the bounds it has. */
export type Shape =
  | {
      readonly kind: 'text'
      readonly isLong: boolean
      readonly minLength: number | null
      readonly maxLength: number | null
      readonly pattern: string | null
    }
  | {
      readonly kind: 'number'
      readonly isInteger: boolean
      readonly minimum: number | null
      readonly maximum: number | null
      /** Whether the bounds themselves are out. */
      readonly isOpen: { readonly minimum: boolean; readonly maximum: boolean }
    }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'choice'; readonly choices: readonly Scalar[] }
  | { readonly kind: 'moment'; readonly format: 'date' | 'time' | 'date-time' }
  | { readonly kind: 'object'; readonly fields: readonly ShapedField[] }
  | {
      readonly kind: 'list'
      readonly item: JsonSchema
      readonly minItems: number | null
      readonly maxItems: number | null
    }
  /** Whatever there is no control for: it is written as JSON. */
  | { readonly kind: 'json' }

interface ShapedField {
  readonly name: string
  readonly schema: JsonSchema
  readonly isRequired: boolean
}

/** A schema as a control knows it. */
export interface Shaped {
  readonly shape: Shape
  readonly title: string | null
  readonly description: string | null
  readonly isNullable: boolean
}

const JSON_TEXT: Shape = { kind: 'json' }
/** A text that may be longer than this has lines. */
const LONG_TEXT = 255
const MOST_REFERENCES = 10
const MOMENTS = ['date', 'time', 'date-time'] as const

/** What a schema says a value is; `root` is the schema that its references lead into. */
export function shapeOf(schema: JsonSchema, root: JsonSchema): Shaped {
  const followed = withoutReferences(schema, root)
  const { schema: own, isNullable } = withoutNull(followed, root)
  return {
    shape: shaped(own),
    title: textOf(followed['title']) ?? textOf(own['title']),
    description: textOf(followed['description']) ?? textOf(own['description']),
    isNullable,
  }
}

function withoutReferences(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let found = schema
  for (let step = 0; step < MOST_REFERENCES; step += 1) {
    const reference = found['$ref']
    if (typeof reference !== 'string') return found
    const { $ref: _, ...beside } = found
    found = { ...at(root, reference), ...beside }
  }
  return {}
}

/** The part of a schema that a reference such as `#/$defs/address` names; anything for one that leads nowhere. */
function at(root: JsonSchema, reference: string): JsonSchema {
  if (!reference.startsWith('#')) return {}
  let found: unknown = root
  for (const part of reference.slice(1).split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    found = isSchema(found) && Object.hasOwn(found, name) ? found[name] : undefined
  }
  return isSchema(found) ? found : {}
}

function withoutNull(schema: JsonSchema, root: JsonSchema): { schema: JsonSchema; isNullable: boolean } {
  const { type } = schema
  if (Array.isArray(type) && type.includes('null')) {
    const others = type.filter((each) => each !== 'null') as unknown[]
    return { schema: { ...schema, type: others.length === 1 ? others[0] : others }, isNullable: true }
  }
  const options = schema['anyOf'] ?? schema['oneOf']
  if (!Array.isArray(options)) return { schema, isNullable: false }
  const others = options.filter((option) => !isSchema(option) || option['type'] !== 'null') as unknown[]
  const [only] = others
  const isNullable = others.length < options.length
  if (others.length !== 1 || !isSchema(only)) return { schema, isNullable }
  const { anyOf: _, oneOf: _one, ...beside } = schema
  return { schema: { ...withoutReferences(only, root), ...beside }, isNullable }
}

function shaped(schema: JsonSchema): Shape {
  const choices = choicesOf(schema)
  if (choices) return { kind: 'choice', choices }
  if ('anyOf' in schema || 'oneOf' in schema || 'allOf' in schema || 'not' in schema) return JSON_TEXT
  switch (schema['type']) {
    case 'string':
      return shapedText(schema)
    case 'number':
    case 'integer':
      return shapedNumber(schema)
    case 'boolean':
      return { kind: 'boolean' }
    case 'object':
      return shapedObject(schema)
    case 'array':
      return shapedList(schema)
    default:
      return JSON_TEXT
  }
}

function choicesOf(schema: JsonSchema): readonly Scalar[] | null {
  if ('const' in schema) return isScalar(schema['const']) ? [schema['const']] : null
  const listed = schema['enum']
  if (Array.isArray(listed)) return listed.length > 0 && listed.every(isScalar) ? listed : null
  const options = schema['anyOf'] ?? schema['oneOf']
  if (!Array.isArray(options) || options.length === 0) return null
  const constants = options.map((option) => (isSchema(option) && 'const' in option ? option['const'] : undefined))
  return constants.every(isScalar) ? constants : null
}

function shapedText(schema: JsonSchema): Shape {
  const format = MOMENTS.find((each) => each === schema['format'])
  if (format) return { kind: 'moment', format }
  const maxLength = numberOf(schema['maxLength'])
  return {
    kind: 'text',
    isLong: maxLength !== null && maxLength > LONG_TEXT,
    minLength: numberOf(schema['minLength']),
    maxLength,
    pattern: textOf(schema['pattern']),
  }
}

function shapedNumber(schema: JsonSchema): Shape {
  const [above, below] = [numberOf(schema['exclusiveMinimum']), numberOf(schema['exclusiveMaximum'])]
  // Schemas of integers name the largest that can be counted with; nobody is helped by reading that.
  const known = (bound: number | null) => (bound !== null && Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? null : bound)
  return {
    kind: 'number',
    isInteger: schema['type'] === 'integer',
    minimum: known(numberOf(schema['minimum']) ?? above),
    maximum: known(numberOf(schema['maximum']) ?? below),
    isOpen: {
      minimum: above !== null && numberOf(schema['minimum']) === null,
      maximum: below !== null && numberOf(schema['maximum']) === null,
    },
  }
}

function shapedObject(schema: JsonSchema): Shape {
  const { properties } = schema
  if (!isSchema(properties) || Object.keys(properties).length === 0) return JSON_TEXT
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  const fields = Object.entries(properties).map(([name, field]) => ({
    name,
    schema: isSchema(field) ? field : {},
    isRequired: required.includes(name),
  }))
  return { kind: 'object', fields }
}

function shapedList(schema: JsonSchema): Shape {
  const { items } = schema
  if (!isSchema(items) || 'prefixItems' in schema) return JSON_TEXT
  return { kind: 'list', item: items, minItems: numberOf(schema['minItems']), maxItems: numberOf(schema['maxItems']) }
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
