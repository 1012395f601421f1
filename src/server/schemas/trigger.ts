import { z } from 'zod'
import type { TriggerJson } from '../../time/triggers/json.ts'
import { type FieldSchema, TRIGGER_FIELDS } from '../../time/triggers/json-fields.ts'

type Json = Record<string, unknown>

const COMPONENTS = '#/components/schemas/'

export const TRIGGER_REFERENCE = `${COMPONENTS}Trigger`

/** A trigger of any type. The service parses it; this describes it. */
export const triggerShape = z.custom<TriggerJson>().meta({
  oneOf: triggerTypes().map((type) => ({ $ref: `${COMPONENTS}${nameOf(type)}` })),
})

/** The description of each type of trigger, by the name that clients see. */
export function triggerSchemas(): Json {
  return Object.fromEntries(triggerTypes().map((type) => [nameOf(type), schemaOf(type)]))
}

function triggerTypes(): TriggerJson['type'][] {
  return Object.keys(TRIGGER_FIELDS) as TriggerJson['type'][]
}

function nameOf(type: TriggerJson['type']): string {
  return `${type.charAt(0).toUpperCase()}${type.slice(1)}Trigger`
}

function schemaOf(type: TriggerJson['type']): Json {
  const { description, required, fields } = TRIGGER_FIELDS[type]
  return {
    type: 'object',
    description,
    properties: { type: { const: type }, ...properties(fields) },
    required: ['type', ...required],
    additionalProperties: false,
  }
}

function properties(fields: Readonly<Record<string, FieldSchema>>): Json {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      field.type === 'trigger' ? { $ref: TRIGGER_REFERENCE } : { ...field },
    ]),
  )
}
