import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { pathsOf, routes } from '../../../src/server/routes/routes.ts'
import { fill, probeOf, successOf } from './probes.ts'
import { APPROVER, openWorld, type World } from './world.ts'

type Json = Record<string, unknown>

const text = z.string().min(1)
const reference = z.strictObject({ $ref: z.string().regex(/^#\/components\/[a-zA-Z]+\/[a-zA-Z0-9]+$/) })
const schemaObject = z.union([z.boolean(), z.record(z.string(), z.unknown())])
const content = z.record(z.string().regex(/^[a-z]+\/[a-z+.-]+$/), z.strictObject({ schema: schemaObject }))
const header = z.strictObject({ description: text, schema: schemaObject })
const response = z.strictObject({
  description: text,
  content: content.optional(),
  headers: z.record(z.string(), header).optional(),
})

const operation = z.strictObject({
  operationId: text,
  summary: text,
  description: text,
  security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
  'x-access': z.unknown(),
  parameters: z.array(
    z.discriminatedUnion('in', [
      z.strictObject({ name: text, in: z.literal('path'), required: z.literal(true), schema: schemaObject }),
      z.strictObject({
        name: text,
        in: z.literal('query'),
        required: z.boolean(),
        style: z.literal('form').optional(),
        explode: z.boolean().optional(),
        schema: schemaObject,
      }),
      z.strictObject({
        name: text,
        in: z.literal('header'),
        required: z.boolean(),
        description: text,
        schema: schemaObject,
      }),
    ]),
  ),
  requestBody: z.strictObject({ required: z.boolean(), content }).optional(),
  responses: z.record(z.string().regex(/^[1-5]\d\d$/), z.union([reference, response])),
})

/** The part of OpenAPI 3.1 that is used, strictly. */
const openApi = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({ title: text, version: text, description: text }),
  servers: z.array(z.strictObject({ url: text })),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  paths: z.record(
    z.string().startsWith('/'),
    z.strictObject({
      get: operation.optional(),
      put: operation.optional(),
      post: operation.optional(),
      delete: operation.optional(),
    }),
  ),
  components: z.strictObject({
    schemas: z.record(z.string(), schemaObject),
    responses: z.record(z.string(), response),
    securitySchemes: z.record(z.string(), z.looseObject({ type: z.enum(['http', 'apiKey']) })),
  }),
})

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = '$ref' in value && typeof value.$ref === 'string' ? [value.$ref] : []
  return [...own, ...Object.values(value).flatMap(referencesIn)]
}

function lookUp(document: Json, pointer: string): unknown {
  return pointer
    .slice(2)
    .split('/')
    .reduce<unknown>((value, part) => (value as Json | undefined)?.[part], document)
}

/** What programs are told about the API, and whether it is true. */
export function describeDescription(): void {
  describe('the description of the API', () => {
    let world: World
    let document: Json
    beforeAll(async () => {
      world = await openWorld()
      document = (await world.ask(APPROVER, 'GET', '/api/jobs/openapi.json')).body
    })
    afterAll(() => world[Symbol.asyncDispose]())

    it('is OpenAPI 3.1', () => {
      openApi.parse(document)
    })

    it('has every route under each of its paths, and no other', () => {
      const described = Object.entries(document['paths'] as Record<string, Json>).flatMap(([path, item]) =>
        Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
      )
      const served = routes.flatMap((route) =>
        pathsOf(route)
          .filter((path) => !path.endsWith('/'))
          .map((path) => `${route.method} ${path.replaceAll(/:([^/]+)/g, '{$1}')}`),
      )
      expect(described.toSorted()).toEqual(served.toSorted())
    })

    it('refers to nothing that is not in it', () => {
      for (const pointer of new Set(referencesIn(document))) expect(lookUp(document, pointer), pointer).toBeDefined()
    })

    it('has an id of its own for each operation, and names every parameter of a path', () => {
      const { paths } = openApi.parse(document)
      const ids: string[] = []
      for (const [path, item] of Object.entries(paths)) {
        for (const { operationId, parameters } of Object.values(item).filter((each) => each !== undefined)) {
          ids.push(operationId)
          const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `{${name}}`)
          expect(inPath).toEqual(path.match(/\{[^}]+\}/g) ?? [])
        }
      }
      expect(new Set(ids).size).toBe(ids.length)
    })

    it('has schemas that can be read', () => {
      const { schemas } = document['components'] as { schemas: Record<string, Json> }
      for (const [name, schema] of Object.entries(schemas)) {
        const whole = { ...schema, $defs: schemas }
        const text = JSON.stringify(whole).replaceAll('#/components/schemas/', '#/$defs/')
        expect(() => z.fromJSONSchema(JSON.parse(text) as never), name).not.toThrow()
      }
    })

    const answering = routes.filter(({ answers }) =>
      Object.values(answers).some(({ schema, mediaTypes }) => schema && mediaTypes === undefined),
    )

    it.each(answering.map((route) => [route.name, route] as const))(
      'is true of what %s answers',
      async (_name, route) => {
        const probe = await probeOf(world, route)
        const reply = await world.ask(APPROVER, route.method, fill(route.path, probe), probe)
        const shape = route.answers[successOf(route)]
        expect(reply.status, reply.text).toBe(successOf(route))
        const parsed = shape?.schema?.parse(reply.body)
        // Whatever is answered is described: nothing is left out by the schema.
        expect(parsed).toEqual(reply.body)
        for (const header of shape?.headers ?? []) expect(reply.headers.has(header), header).toBe(true)
      },
    )
  })
}
