import { Hono } from 'hono'
import { type Env, systemEnv } from '../clock.ts'
import { silentLogger } from '../logger.ts'
import { languageOf } from '../service/i18n/accept-language.ts'
import type { App, AppOptions } from './app-options.ts'
import type { Connection } from './authentication/authenticate.ts'
import { answerOperations, operationsQuestion } from './operations/answer-operations.ts'
import { answerPage, type PageSurroundings, problemPage } from './pages/answer-page.ts'
import { PAGE_HEADERS } from './pages/page-headers.ts'
import { DASHBOARD_ROOT, pagePathOf } from './pages/page-path.ts'
import { requireRate } from './request/rate.ts'
import { nothingHere, RequestError } from './request/request-error.ts'
import type { Route } from './request/route.ts'
import { type ServeSurroundings, serveRoute } from './request/serve-route.ts'
import { ALWAYS_HEADERS, problemOf, problemResponse } from './response/problem.ts'
import { answerOf } from './response/problem-of-error.ts'
import { Streams } from './response/streams.ts'
import { TenantFeeds } from './response/tenant-feed.ts'
import { describeApi } from './routes/openapi.ts'
import { pathsOf, routes } from './routes/routes.ts'

/** `traceparent` of W3C Trace Context: version, trace id, parent id, flags. */
const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/

const NO_TRACE = '0'.repeat(32)

/** The trace that a request is part of, or one of its own. */
function traceIdOf(headers: Headers, env: Env): string {
  const traceId = TRACEPARENT.exec(headers.get('traceparent') ?? '')?.[1]
  if (traceId !== undefined && traceId !== NO_TRACE) return traceId
  return env.uuid(env.now()).replaceAll('-', '')
}

const STREAMS_PER_TENANT = 50

const NOBODY_KNOWS: Connection = { address: null }

interface Bindings {
  readonly connection: Connection
  /** Where it is noted by which route a request is served. */
  readonly seen: { route: string }
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
    feeds: new TenantFeeds(env, service),
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
  const { authenticate } = options
  const pages: PageSurroundings | null = options.dashboard
    ? { ...options.dashboard, authenticate, limiter: around.limiter, prefix }
    : null

  const fail = (error: unknown, request: Request): Response => {
    const answer = answerOf(error)
    const traceId = traceIdOf(request.headers, env)
    const { pathname } = new URL(request.url)
    const instance = `${prefix}${pathname}`
    if (answer.isUnexpected) {
      logger.error('A request could not be served', { method: request.method, path: instance, traceId, error })
    }
    const language = languageOf(request.headers.get('accept-language'))
    const problem = problemOf(answer, { instance, traceId, language })
    const isPage = pages !== null && pagePathOf(pathname) !== null
    const headers = { ...(isPage && PAGE_HEADERS), ...answer.headers, 'content-language': language }
    return isPage && acceptsHtml(request) ? problemPage(problem, language, headers) : problemResponse(problem, headers)
  }
  router.onError((error, { req }) => fail(error, req.raw))

  const operations = options.operations && {
    ...options.operations,
    authenticate: options.authenticate,
    limiter: around.limiter,
  }
  const answered = async (request: Request, { connection, seen }: Bindings): Promise<Response> => {
    try {
      const question = operations ? operationsQuestion(request, operations.part) : null
      // Whether all is well is told whatever else goes wrong, and however often it is asked.
      if (operations && question === 'health') return await answerOperations(operations, request, connection)
      requireRate(await around.limiter?.arrive(connection))
      if (operations && question === 'metrics') return await answerOperations(operations, request, connection)
      requireDecodable(request.url)
      if (operations?.part === 'operations') throw nothingHere(prefix)
      const path = pages && pagePathOf(new URL(request.url).pathname)
      if (pages && path) {
        seen.route = `${DASHBOARD_ROOT}/*`
        return await answerPage(pages, { request, connection, path })
      }
      return await router.fetch(request, { connection, seen })
    } catch (error) {
      return fail(error, request)
    }
  }

  return {
    hasDashboard: pages !== null,
    async fetch(request, connection = NOBODY_KNOWS) {
      const [begunAt, seen] = [env.monotonic(), { route: '' }]
      const answer = await answered(request, { connection, seen })
      operations?.operations.process.answered({
        method: request.method,
        route: seen.route,
        status: answer.status,
        durationMs: env.monotonic() - begunAt,
      })
      answer.headers.append('vary', 'Accept-Language')
      return answer
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
      router.on(route.method, path, (context) => {
        context.env.seen.route = route.path
        return serveRoute(around, route, {
          request: context.req.raw,
          connection: context.env.connection,
          params: context.req.param(),
        })
      })
    }
    const allow = allowedMethods(found).join(', ')
    router.on('OPTIONS', path, () => new Response(null, { status: 204, headers: { ...ALWAYS_HEADERS, allow } }))
    router.all(path, () => {
      throw new RequestError(405, 'method_not_allowed', `This takes ${allow}.`, {
        headers: { allow },
        details: { allow },
      })
    })
  }
  router.notFound(() => {
    throw nothingHere(around.prefix)
  })
  return router
}

function acceptsHtml({ headers }: Request): boolean {
  return /\btext\/html\b/i.test(headers.get('accept') ?? '')
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
