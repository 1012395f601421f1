import { type JsonSchema, type Shape, shapeOf } from './shape.ts'

type Fields = Readonly<Record<string, unknown>>

const DEEPEST = 8

/** What a form begins with: the parts that have to be there. A default is shown, not sent: the job type fills it in. */
export function startingValue(schema: JsonSchema | null): unknown {
  return schema === null ? undefined : beginning(schema, schema, 0)
}

/** What a part of a value begins with, once somebody wants it. */
export function beginning(schema: JsonSchema, root: JsonSchema, depth = 0): unknown {
  if ('default' in schema) return schema['default']
  if (depth > DEEPEST) return undefined
  const { shape } = shapeOf(schema, root)
  switch (shape.kind) {
    case 'object':
      return Object.fromEntries(
        shape.fields
          .filter(({ isRequired }) => isRequired)
          .map(({ name, schema: field }) => [name, beginning(field, root, depth + 1)] as const)
          .filter(([, value]) => value !== undefined),
      )
    case 'list':
      return []
    case 'boolean':
      return false
    case 'choice':
      return shape.choices.length === 1 ? shape.choices[0] : undefined
    case 'text':
    case 'number':
    case 'moment':
    case 'json':
      return undefined
  }
}

/** An object with one field set; undefined takes it out. The others stay, also those that no schema names. */
export function withField(value: unknown, name: string, field: unknown): Fields {
  const { [name]: _, ...others } = fieldsOf(value)
  if (field === undefined) return others
  return name in fieldsOf(value) ? { ...fieldsOf(value), [name]: field } : { ...others, [name]: field }
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Whether a control can show a value at all: what is of another kind is shown as JSON, so that nothing is lost. */
export function fits(value: unknown, shape: Shape): boolean {
  if (value === undefined || value === null) return true
  switch (shape.kind) {
    case 'text':
    case 'moment':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number'
    case 'boolean':
      return typeof value === 'boolean'
    case 'choice':
      return typeof value !== 'object'
    case 'object':
      return typeof value === 'object' && !Array.isArray(value)
    case 'list':
      return Array.isArray(value)
    case 'json':
      return true
  }
}

/** The names of fields that are there without the schema naming them. */
export function unnamedFields(value: unknown, shape: Shape): readonly string[] {
  if (shape.kind !== 'object') return []
  const named = new Set(shape.fields.map(({ name }) => name))
  return Object.keys(fieldsOf(value)).filter((name) => !named.has(name))
}

/** A pointer to a part of what another pointer leads to. */
export function pointerInto(pointer: string, part: string | number): string {
  return `${pointer}/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** The value that JSON text stands for; empty text stands for nothing. */
export function readJson(text: string): { readonly value: unknown } | { readonly error: string } {
  if (text.trim() === '') return { value: undefined }
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

export function jsonText(value: unknown): string {
  return value === undefined || value === null ? '' : JSON.stringify(value, null, 2)
}

/** Of what is wrong with a whole, what is wrong with the part at a pointer, by pointers into that part. */
export function problemsBelow<Problem extends { readonly pointer: string }>(
  problems: readonly Problem[],
  pointer: string,
): readonly Problem[] {
  return problems
    .filter((each) => each.pointer === pointer || each.pointer.startsWith(`${pointer}/`))
    .map((each) => ({ ...each, pointer: each.pointer.slice(pointer.length) }))
}
