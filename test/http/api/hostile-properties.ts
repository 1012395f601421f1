import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../../../src/server/request/route.ts'
import { problemView } from '../../../src/server/routes/openapi.ts'
import { routes } from '../../../src/server/routes/routes.ts'
import type { StoreSource } from '../../../src/store/store.ts'
import { almost, MARK, parameter } from './hostile-values.ts'
import { fill, type Probe, probeOf } from './probes.ts'
import { APPROVER, openWorld, type Reply, type World } from './world.ts'

type Json = Readonly<Record<string, unknown>>

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Json } } }
  readonly responses: Readonly<Record<string, unknown>>
}

/** Whatever is sent, by the description or against it, every answer is one that the description has. */
export function describeHostileProperties(
  kind: string,
  openStore: () => StoreSource | undefined,
  numRuns: number,
): void {
  describe(`anything that may be sent to the API on ${kind}`, () => {
    let world: World
    let paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
    beforeAll(async () => {
      world = await openWorld(openStore())
      paths = (await world.ask(APPROVER, 'GET', '/api/jobs/openapi.json')).body['paths'] as typeof paths
    })
    // Fails where anything was answered with 500.
    afterAll(() => world[Symbol.asyncDispose]())

    const operationOf = ({ method, path }: Route): Operation =>
      paths[path.replaceAll(/:([^/]+)/g, '{$1}')]![method.toLowerCase()]!

    it.each(routes.map((route) => [route.name, route] as const))('is answered as described by %s', async (_, route) => {
      const { parameters, requestBody, responses } = operationOf(route)
      const probe = await probeOf(world, route)
      const schema = requestBody?.content['application/json'].schema
      const names = parameters.filter((each) => each.in === 'query').map(({ name }) => name)
      const sent = fc.record({
        params: fc.oneof({ weight: 4, arbitrary: fc.constant(probe.params ?? {}) }, hostileParams(probe)),
        query: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, queryOf(names)),
        body: schema === undefined ? fc.constant(undefined) : almost(schema),
      })
      await fc.assert(
        fc.asyncProperty(sent, async ({ params, query, body }) => {
          const search = new URLSearchParams(query).toString()
          const path = fill(route.path, { params, query: search === '' ? '' : `?${search}` })
          const reply = await world.ask(APPROVER, route.method, path, body === undefined ? {} : { body })
          expectDescribed(reply, Object.keys(responses).map(Number))
        }),
        { numRuns },
      )
    })
  })
}

function hostileParams({ params = {} }: Probe): fc.Arbitrary<Record<string, string>> {
  return fc.record(Object.fromEntries(Object.keys(params).map((name) => [name, parameter.filter(isSegment)])))
}

/** A URL takes these for steps, so that another path would be asked for. */
function isSegment(text: string): boolean {
  return !['', '.', '..', '%2e', '%2e%2e', '.%2e', '%2e.'].includes(text.toLowerCase())
}

function queryOf(names: readonly string[]): fc.Arbitrary<Record<string, string>> {
  const known = fc.record(Object.fromEntries(names.map((name) => [name, parameter])), {
    requiredKeys: [],
  }) as fc.Arbitrary<Record<string, string>>
  return fc.oneof(
    { weight: 4, arbitrary: known },
    fc.dictionary(fc.string({ maxLength: 8 }), parameter, { maxKeys: 2 }),
  )
}

const LEAKS = /node_modules|\.[tj]s:\d+|\bat \w+ \(|select |insert into|pontual\.\w+_|SQLSTATE/i

function expectDescribed({ status, headers, text, body }: Reply, statuses: readonly number[]): void {
  expect(status, text.slice(0, 500)).toBeLessThan(500)
  expect(statuses, text.slice(0, 500)).toContain(status)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  if (status < 400) return
  expect(headers.get('content-type')).toBe('application/problem+json')
  expect(problemView.strict().parse(body).status).toBe(status)
  expect(text.length).toBeLessThan(20_000)
  expect(text).not.toMatch(LEAKS)
  expect(text).not.toContain(MARK)
}
