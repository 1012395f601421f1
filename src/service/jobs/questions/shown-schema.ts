type Fields = Readonly<Record<string, unknown>>

/** Words of JSON Schema that hold values, and no rules about them. */
const VALUES: ReadonlySet<string> = new Set(['default', 'examples', 'const'])
/** Words that hold schemas by names of their own. */
const NAMED: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions'])
const SECRET_NAME =
  /pass(word|phrase|wd)|senha|secret|segredo|token|(api|private|access).?key|credential|authorization/i
/** A URL that somebody signs in by. */
const SIGNED_URL = /:\/\/[^/\s@]*:[^/\s@]+@/

/** A schema as people see it: without the values that code has put into it for what is secret. Everybody who reads jobs is shown it, of whichever tenant. */
export function shownSchema(schema: Fields): Fields {
  return shownFields(schema, false)
}

function shownFields(schema: Fields, isWithinSecret: boolean): Fields {
  const isSecret = isWithinSecret || schema['writeOnly'] === true || schema['format'] === 'password'
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([word, value]) => !VALUES.has(word) || !(isSecret || holdsSecret(value)))
      .map(([word, value]) => [word, NAMED.has(word) ? namedParts(value, isSecret) : shownPart(value, isSecret)]),
  )
}

function shownPart(part: unknown, isSecret: boolean): unknown {
  if (Array.isArray(part)) return part.map((each) => shownPart(each, isSecret))
  return isFields(part) ? shownFields(part, isSecret) : part
}

function namedParts(parts: unknown, isSecret: boolean): unknown {
  if (!isFields(parts)) return parts
  const shown = ([name, part]: [string, unknown]) =>
    [name, shownPart(part, isSecret || SECRET_NAME.test(name))] as const
  return Object.fromEntries(Object.entries(parts).map(shown))
}

function holdsSecret(value: unknown): boolean {
  if (typeof value === 'string') return SIGNED_URL.test(value)
  if (Array.isArray(value)) return value.some(holdsSecret)
  return isFields(value) && Object.entries(value).some(([name, part]) => SECRET_NAME.test(name) || holdsSecret(part))
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
