import { UnauthenticatedError } from '../../access/errors.ts'
import type { Principal } from '../../access/principal.ts'
import type { Locale } from '../../time/locale.ts'
import type { Authenticate, Connection } from '../authentication/authenticate.ts'
import { CLEAR_SESSION_COOKIE, sessionCookie } from '../authentication/credentials.ts'
import { type RateLimiter, requireRate } from '../request/rate.ts'
import { nothingHere, RequestError } from '../request/request-error.ts'
import type { Problem } from '../response/problem.ts'
import type { DashboardFiles } from './dashboard-files.ts'
import { HTML_HEADERS, PAGE_HEADERS } from './page-headers.ts'
import { type PagePath, signInLocation } from './page-path.ts'

/** The dashboard, as it is served. */
export interface Dashboard {
  readonly files: DashboardFiles
  /** Throws where it is switched off for the tenant of whoever asks. */
  readonly requireOn: (principal: Principal) => Promise<void>
}

export interface PageSurroundings extends Dashboard {
  readonly authenticate: Authenticate
  readonly limiter: RateLimiter | null
  readonly prefix: string
}

interface PageRequest {
  readonly request: Request
  readonly connection: Connection
  readonly path: PagePath
}

const ALLOW = 'GET, HEAD, OPTIONS'

/** What is asked for by such a name is a file, and never the page. */
const FILE_NAME = /^assets(\/|$)|\.[a-z0-9]+$/i

/** Answers for the dashboard: files and the page to sign in for everybody, the rest for whoever has shown who he is. */
export async function answerPage(around: PageSurroundings, asked: PageRequest): Promise<Response> {
  const { request, path } = asked
  if (request.method === 'OPTIONS')
    return new Response(null, { status: 204, headers: { ...PAGE_HEADERS, allow: ALLOW } })
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const options = { headers: { allow: ALLOW }, details: { allow: ALLOW } }
    throw new RequestError(405, 'method_not_allowed', `This takes ${ALLOW}.`, options)
  }
  const file = around.files.file(path.name)
  if (file) return await file.answer(request)
  if (!path.isPossible || FILE_NAME.test(path.name)) throw nothingHere(around.prefix)
  if (path.isSignIn) return page(around, asked, {})
  return await pageForSomebody(around, asked)
}

/** Whatever he may do: what he may not see, the page tells him. */
async function pageForSomebody(around: PageSurroundings, asked: PageRequest): Promise<Response> {
  const principal = await whoAsks(around, asked)
  if (principal === null) return signInFirst(asked)
  const rateHeaders = requireRate(await around.limiter?.admit(principal))
  await around.requireOn(principal)
  return page(around, asked, rateHeaders)
}

/** Somebody whose session has ended is nobody, and may sign in again. */
async function whoAsks({ authenticate }: PageSurroundings, asked: PageRequest): Promise<Principal | null> {
  try {
    return await authenticate(asked.request, asked.connection)
  } catch (error) {
    if (error instanceof UnauthenticatedError) return null
    throw error
  }
}

function page({ files }: PageSurroundings, { request, path }: PageRequest, headers: Record<string, string>): Response {
  const body = request.method === 'HEAD' ? null : files.page(path.base)
  return new Response(body, { status: 200, headers: { ...headers, ...HTML_HEADERS } })
}

function signInFirst({ request, path }: PageRequest): Response {
  const headers = new Headers({
    ...PAGE_HEADERS,
    'cache-control': 'no-store',
    location: signInLocation(path, new URL(request.url).search),
  })
  // A cookie that holds no more would be refused with every request, and count as a guess.
  if (sessionCookie(request.headers) !== null) headers.set('set-cookie', CLEAR_SESSION_COOKIE)
  return new Response(null, { status: 302, headers })
}

/** A problem for somebody who reads it in a browser. */
export function problemPage(
  { status, title, detail, trace_id: traceId }: Problem,
  language: Locale,
  headers: Readonly<Record<string, string>>,
): Response {
  const html = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Pontual</title>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
<p>${escaped(detail)}</p>
<p><small>${status} · ${escaped(traceId)}</small></p>
</main>
</body>
</html>
`
  return new Response(html, { status, headers: { ...headers, ...HTML_HEADERS } })
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
