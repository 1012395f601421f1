import { z } from 'zod'
import type { StandardSchema } from '../../../job/type/standard-schema.ts'
import { shownSchema } from './shown-schema.ts'

/** JSON Schema, of draft 2020-12 or, where a library knows no other, of draft-07. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** What libraries have beside it that follow Standard JSON Schema: https://standardschema.dev/json-schema, version 1. */
interface WithJsonSchema {
  readonly jsonSchema?: { readonly input?: (options: { readonly target: string }) => unknown }
}

const TARGETS = ['draft-2020-12', 'draft-07'] as const

/** A schema never changes, and forms ask for it again and again. */
const known = new WeakMap<StandardSchema, JsonSchema | null>()

/** What may be given to a job type, as JSON Schema without secrets; null where it takes anything, or its library cannot tell. */
export function inputSchemaOf(schema: StandardSchema | null): JsonSchema | null {
  if (schema === null) return null
  const found = known.get(schema)
  if (found !== undefined) return found
  const read = fromZod(schema) ?? fromStandard(schema)
  known.set(schema, read)
  return read
}

/** Zod is asked by itself: what JSON Schema has no words for, such as a date, then may be anything, where the standard's way refuses the whole. */
function fromZod(schema: StandardSchema): JsonSchema | null {
  if (!('_zod' in schema)) return null
  return attempt(() => z.toJSONSchema(schema as unknown as z.ZodType, { io: 'input', unrepresentable: 'any' }))
}

function fromStandard(schema: StandardSchema): JsonSchema | null {
  for (const target of TARGETS) {
    const read = attempt(() => (schema['~standard'] as WithJsonSchema).jsonSchema?.input?.({ target }))
    if (read !== null) return read
  }
  return null
}

/** What comes from somebody else's library may be anything, or nothing: a form can do without it. */
function attempt(read: () => unknown): JsonSchema | null {
  try {
    const json = JSON.parse(JSON.stringify(read()) ?? 'null') as unknown
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? shownSchema(json as JsonSchema) : null
  } catch {
    return null
  }
}
