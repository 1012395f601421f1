import { Hono } from 'hono'
import { systemEnv } from '../clock.ts'
import { silentLogger } from '../logger.ts'
import type { App, AppOptions } from './app-options.ts'
import type { Connection } from './authenticate.ts'
import { describeApi } from './openapi.ts'
import { ALWAYS_HEADERS, problemOf, problemResponse } from './problem.ts'
import { answerOf } from './problem-of-error.ts'
import { requireRate } from './rate.ts'
import { RequestError } from './request-error.ts'
import type { Route } from './route.ts'
import { pathsOf, routes } from './routes.ts'
import { type ServeSurroundings, serveRoute } from './serve-route.ts'
import { Streams } from './streams.ts'
import { TenantFeeds } from './tenant-feed.ts'
import { traceIdOf } from './trace-id.ts'

const STREAMS_PER_TENANT = 50

const NOBODY_KNOWS: Connection = { address: null }

interface Bindings {
  readonly connection: Connection
}

/** The REST API of a service, as a function from request to answer. */
export function createApp(options: AppOptions): App {
  const { service, env = systemEnv, logger = silentLogger, prefix = '' } = options
  const streams = new Streams({ env, logger, perTenant: options.streamsPerTenant ?? STREAMS_PER_TENANT })
  let description: unknown
  const around: ServeSurroundings = {
    service,
    env,
    streams,
    prefix,
    feeds: new TenantFeeds(env, service.audit),
    authenticate: options.authenticate,
    sessions: options.sessions ?? null,
    requests: options.requests ?? null,
    limiter: options.limiter ?? null,
    description: () => {
      description ??= describeApi(routes, prefix)
      return description
    },
  }
  const router = routerOf(around)

  const fail = (error: unknown, request: Request): Response => {
    const answer = answerOf(error)
    const traceId = traceIdOf(request.headers, env)
    const instance = `${prefix}${new URL(request.url).pathname}`
    if (answer.isUnexpected) {
      logger.error('A request could not be served', { method: request.method, path: instance, traceId, error })
    }
    return problemResponse(problemOf(answer, { instance, traceId }), answer.headers)
  }
  router.onError((error, { req }) => fail(error, req.raw))

  return {
    async fetch(request, connection = NOBODY_KNOWS) {
      try {
        requireRate(around.limiter?.arrive(connection))
        requireDecodable(request.url)
        return await router.fetch(request, { connection })
      } catch (error) {
        return fail(error, request)
      }
    },
    close: () => streams.close(),
  }
}

/** What cannot be decoded would be taken as it stands, and be the same as what was meant to be encoded so. */
function requireDecodable(url: string): void {
  if (!url.includes('%')) return
  try {
    decodeURIComponent(new URL(url).pathname)
  } catch {
    throw new RequestError(400, 'path_invalid', 'The path is not text in UTF-8, percent-encoded.')
  }
}

function routerOf(around: ServeSurroundings): Hono<{ Bindings: Bindings }> {
  const router = new Hono<{ Bindings: Bindings }>()
  for (const [path, found] of routesByPath()) {
    for (const route of found) {
      router.on(route.method, path, (context) =>
        serveRoute(around, route, {
          request: context.req.raw,
          connection: context.env.connection,
          params: context.req.param(),
        }),
      )
    }
    const allow = allowedMethods(found).join(', ')
    router.on('OPTIONS', path, () => new Response(null, { status: 204, headers: { ...ALWAYS_HEADERS, allow } }))
    router.all(path, () => {
      throw new RequestError(405, 'method_not_allowed', `This takes ${allow}.`, { headers: { allow } })
    })
  }
  router.notFound(() => {
    throw new RequestError(
      404,
      'not_found',
      `There is nothing at this path; ${around.prefix}/api/jobs/openapi.json tells what there is.`,
    )
  })
  return router
}

/** Paths that are spelled out come before those with a parameter in the same place, so that `dashboard` is never an id. */
function routesByPath(): [string, Route[]][] {
  const found = new Map<string, Route[]>()
  for (const route of routes) {
    for (const path of pathsOf(route)) found.set(path, [...(found.get(path) ?? []), route])
  }
  const rank = (path: string) => path.replaceAll(/:[^/]+/g, '~')
  return [...found].sort(([one], [other]) => (rank(one) < rank(other) ? -1 : 1))
}

function allowedMethods(found: readonly Route[]): string[] {
  const methods = found.map(({ method }) => method)
  return [
    ...(methods.includes('GET') ? ['GET', 'HEAD'] : []),
    ...methods.filter((method) => method !== 'GET'),
    'OPTIONS',
  ]
}
