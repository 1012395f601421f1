import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Env, systemEnv } from '../../clock.ts'
import type { App } from '../app-options.ts'
import { DASHBOARD_ROOT } from '../pages/page-path.ts'
import { ALWAYS_HEADERS } from '../response/problem.ts'
import { peerAddress, prefixOf } from './api-path.ts'
import { arrivalListener } from './arrival-listener.ts'
import { type RefusalStatus, refusal } from './refusal.ts'

/** Where the API is mounted in a server of Node. */
export interface NodeMountOptions {
  /** What stands before `/api` and `/jobs` in every URL, such as `/ops`. Default: nothing. */
  readonly prefix?: string | undefined
  /** How many proxies of your own stand in front, each of which adds to X-Forwarded-For. Default: none, and the header is not believed. */
  readonly trustedProxies?: number | undefined
  /** Puts a faster Request and Response in the place of Node's own, for the whole process. Default: no. */
  readonly replacesGlobals?: boolean | undefined
  readonly env?: Env | undefined
}

const MOST_HEADERS = 100
const MOST_HEADER_CHARACTERS = 16_384

/** A listener for `http.createServer`, and for whatever else hands over what `node:http` gives. */
export function nodeListener(
  app: App,
  { prefix: at = '', trustedProxies = 0, replacesGlobals = false, env = systemEnv }: NodeMountOptions = {},
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  const prefix = prefixOf(at)
  const answer = arrivalListener(app, env, replacesGlobals)
  return (incoming, outgoing) => {
    const refused = refusedFor(incoming, prefix)
    if (refused !== null) {
      const { status, headers, body } = refusal(refused, env, incoming.headers['accept-language'])
      outgoing.writeHead(status, headers).end(body)
      return
    }
    const url = (incoming.url ?? '').slice(prefix.length)
    if (app.hasDashboard && isRoot(incoming, url)) {
      outgoing.writeHead(302, toDashboard(prefix, url)).end()
      return
    }
    const { 'x-forwarded-for': forwardedFor } = incoming.headers
    const address = peerAddress(incoming.socket.remoteAddress, String(forwardedFor ?? ''), trustedProxies)
    void answer(incoming, outgoing, { url, prefix, address })
  }
}

/** The location is relative, so that it is right behind a proxy that adds a path. Without the slash at its end, the prefix is resolved against its parent. */
function toDashboard(prefix: string, url: string) {
  const folder = url.startsWith('/') ? '' : prefix.slice(prefix.lastIndexOf('/'))
  return { ...ALWAYS_HEADERS, location: `.${folder}${DASHBOARD_ROOT}/`, 'content-length': '0' }
}

/** Whether somebody has asked for nothing but the server: people begin there. */
function isRoot({ method }: IncomingMessage, url: string): boolean {
  return (method === 'GET' || method === 'HEAD') && /^\/?(?:\?|$)/.test(url)
}

/** Why a request is not looked at, if so. */
function refusedFor({ url = '', rawHeaders }: IncomingMessage, prefix: string): RefusalStatus | null {
  const characters = rawHeaders.reduce((sum, text) => sum + text.length, 0)
  if (rawHeaders.length / 2 > MOST_HEADERS || characters > MOST_HEADER_CHARACTERS) return 431
  // A whole URL in place of a path is for proxies, and we are none.
  if (!url.startsWith('/')) return 400
  // Which of two would count is anybody's guess.
  if (rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host').length > 1) return 400
  return url === prefix || url.startsWith(`${prefix}/`) || url.startsWith(`${prefix}?`) ? null : 404
}
