/** A schema, as far as the description of the API uses the language. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly propertyNames?: Schema
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly pattern?: string
  readonly format?: string
}

/** What only tells people something. */
const WORDS = ['description', 'title', 'default', 'examples', 'deprecated']
const RULES = [
  '$ref',
  'type',
  'properties',
  'required',
  'additionalProperties',
  'propertyNames',
  'items',
  'anyOf',
  'oneOf',
  'enum',
  'const',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'pattern',
  'format',
]

export type Components = Readonly<Record<string, Schema>>

/** What is wrong with a value, a line each; none where it is as the schema says. A word of the language that is not known here is an error, not a yes. */
export function problemsWith(schema: Schema, value: unknown, components: Components, place = ''): string[] {
  const unknown = Object.keys(schema).filter((word) => !RULES.includes(word) && !WORDS.includes(word))
  if (unknown.length > 0)
    throw new Error(`The schema at "${place}" says ${unknown.join(', ')}, which nobody reads here.`)
  const at = place === '' ? 'it' : place
  if (schema.$ref !== undefined) return problemsWith(referred(schema.$ref, components), value, components, place)
  if (schema.anyOf && !schema.anyOf.some((each) => isValid(each, value, components))) return [`${at} is none of anyOf`]
  if (schema.oneOf && schema.oneOf.filter((each) => isValid(each, value, components)).length !== 1)
    return [`${at} is not one of oneOf`]
  if (schema.enum && !schema.enum.includes(value)) return [`${at} is not one of ${schema.enum.join(', ')}`]
  if (schema.const !== undefined && schema.const !== value) return [`${at} is not ${JSON.stringify(schema.const)}`]
  const types = schema.type === undefined ? [] : [schema.type].flat()
  if (types.length > 0 && !types.some((type) => isOfType(type, value))) return [`${at} is not ${types.join(' or ')}`]
  if (typeof value === 'string') return textProblems(schema, value, at)
  if (typeof value === 'number') return numberProblems(schema, value, at)
  if (Array.isArray(value)) return listProblems(schema, value, components, at)
  return typeof value === 'object' && value !== null ? fieldProblems(schema, value, components, at) : []
}

export function isValid(schema: Schema, value: unknown, components: Components): boolean {
  return problemsWith(schema, value, components).length === 0
}

function referred(pointer: string, components: Components): Schema {
  const found = components[pointer.replace('#/components/schemas/', '')]
  if (!found) throw new Error(`There is no ${pointer}.`)
  return found
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

const FORMATS: Readonly<Record<string, RegExp>> = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
}

function textProblems(
  { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format }: Schema,
  text: string,
  at: string,
): string[] {
  // Characters, as the language counts them: not halves of them.
  const { length } = Array.from(text)
  if (length < minLength || length > maxLength) return [`${at} has ${length} characters`]
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text)) return [`${at} does not fit ${pattern}`]
  return format !== undefined && FORMATS[format] && !FORMATS[format].test(text) ? [`${at} is no ${format}`] : []
}

function numberProblems(
  { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }: Schema,
  value: number,
  at: string,
): string[] {
  return value < minimum || value > maximum ? [`${at} is ${value}`] : []
}

function listProblems(
  { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items }: Schema,
  list: readonly unknown[],
  components: Components,
  at: string,
): string[] {
  if (list.length < minItems || list.length > maxItems) return [`${at} has ${list.length} items`]
  return items ? list.flatMap((item, index) => problemsWith(items, item, components, `${at}[${index}]`)) : []
}

function fieldProblems(schema: Schema, fields: object, components: Components, at: string): string[] {
  const { properties = {}, required = [], additionalProperties = true, propertyNames } = schema
  const missing = required.filter((name) => !Object.hasOwn(fields, name)).map((name) => `${at}.${name} is missing`)
  const found = Object.entries(fields).flatMap(([name, value]) => {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (own) return problemsWith(own, value, components, `${at}.${name}`)
    if (additionalProperties === false) return [`${at}.${name} is not described`]
    const badName = propertyNames ? problemsWith(propertyNames, name, components, `the name ${name}`) : []
    return additionalProperties === true
      ? badName
      : [...badName, ...problemsWith(additionalProperties, value, components, `${at}.${name}`)]
  })
  return [...missing, ...found]
}
