import { describe, expect, it } from 'vitest'
import { TRIGGER_FIELDS } from '../../time/triggers/json-fields.ts'
import { describeApi } from './openapi.ts'
import { routes } from './routes.ts'

const described = describeApi(routes, '') as { components: { schemas: Record<string, Record<string, unknown>> } }
const { schemas } = described.components

describe('the description of the API', () => {
  it('resolves every reference to a schema', () => {
    const references = JSON.stringify(described).matchAll(/"#\/components\/schemas\/([^"]+)"/g)
    const names = new Set([...references].map(([, name]) => name ?? ''))
    expect([...names].filter((name) => schemas[name] === undefined)).toEqual([])
  })

  it('describes each type of trigger with the fields that the parser accepts', () => {
    const found = Object.values(schemas).flatMap((schema) => {
      const { type, ...fields } = (schema['properties'] ?? {}) as Record<string, { const?: string }>
      return type?.const !== undefined && type.const in TRIGGER_FIELDS ? [[type.const, Object.keys(fields)]] : []
    })
    const accepted = Object.entries(TRIGGER_FIELDS).map(([type, { fields }]) => [type, Object.keys(fields)])
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(accepted))
  })
})
