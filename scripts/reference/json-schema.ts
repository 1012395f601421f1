import { code } from './markdown.ts'

/** As much of JSON Schema as the description of the API has. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: JsonSchema | boolean
}

interface Field {
  readonly name: string
  readonly type: string
  readonly note: string
}

/** The type of a value in one line; a shape with a name is a link to it. */
export function typeOf(schema: JsonSchema): string {
  const { $ref, anyOf, oneOf, allOf, type, items, format, additionalProperties } = schema
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf('/') + 1)
    return `[${name}](#${name.toLowerCase()})`
  }
  const choices = anyOf ?? oneOf ?? allOf
  if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(' or ')
  if (schema.const !== undefined) return code(JSON.stringify(schema.const))
  if (schema.enum !== undefined) return schema.enum.map((each) => code(String(each))).join(', ')
  if (type === 'array') return `list of ${items === undefined ? 'anything' : typeOf(items)}`
  if (type === 'object' && typeof additionalProperties === 'object' && schema.properties === undefined) {
    return `object of ${typeOf(additionalProperties)}`
  }
  const name = Array.isArray(type) ? type.join(' or ') : String(type ?? 'anything')
  return format === undefined ? name : `${name} (${format})`
}

/** The fields of an object, those of objects within it after them, by their paths. */
export function fieldsOf(schema: JsonSchema, prefix = ''): Field[] {
  const { properties = {}, required = [] } = schema
  return Object.entries(properties).flatMap(([key, value]) => {
    const name = `${prefix}${key}`
    const inner = innerOf(value)
    const note = [required.includes(key) ? '' : 'optional', limitsOf(value), value.description ?? '']
      .filter((each) => each !== '')
      .join('; ')
    return [
      { name, type: typeOf(value), note },
      ...(inner === null ? [] : fieldsOf(inner.schema, `${name}${inner.suffix}`)),
    ]
  })
}

function innerOf(schema: JsonSchema): { readonly schema: JsonSchema; readonly suffix: string } | null {
  const candidates = [schema, ...(schema.anyOf ?? [])]
  const object = candidates.find((each) => each.properties !== undefined)
  if (object !== undefined) return { schema: object, suffix: '.' }
  const list = candidates.find((each) => each.items?.properties !== undefined)
  return list === undefined ? null : { schema: list.items!, suffix: '[].' }
}

function limitsOf({ minimum, maximum, minLength, maxLength, maxItems, default: preset }: JsonSchema): string {
  return [
    minimum !== undefined && maximum !== undefined
      ? `${minimum}-${maximum}`
      : minimum !== undefined
        ? `at least ${minimum}`
        : maximum !== undefined
          ? `at most ${maximum}`
          : '',
    minLength !== undefined && maxLength !== undefined
      ? `${minLength}-${maxLength} characters`
      : maxLength !== undefined
        ? `at most ${maxLength} characters`
        : '',
    maxItems === undefined ? '' : `at most ${maxItems}`,
    preset === undefined ? '' : `default ${code(JSON.stringify(preset))}`,
  ]
    .filter((each) => each !== '')
    .join(', ')
}
