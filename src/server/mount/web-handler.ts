import type { App } from '../app-options.ts'
import { prefixOf, rootsOf, splitUrl, underPrefix } from './api-path.ts'
import { peerAddress } from './peer-address.ts'

/** Where the API is mounted. */
export interface WebMountOptions {
  /** What stands before `/api` and `/jobs` in every URL, such as `/ops`. Default: nothing. */
  readonly prefix?: string | undefined
  /** How many proxies of your own stand in front, each of which adds to X-Forwarded-For. Default: none, and the header is not believed. */
  readonly trustedProxies?: number | undefined
}

/** Answers a web request; null where it is not for the API. */
export type WebHandler = (request: Request, socketAddress: string | null) => Promise<Response | null>

/** For everything that hands over requests as the web knows them. */
export function webHandler(app: App, { prefix: at = '', trustedProxies = 0 }: WebMountOptions): WebHandler {
  const prefix = prefixOf(at)
  const roots = rootsOf(app)
  return async (request, socketAddress) => {
    const { origin, pathname, search } = new URL(request.url)
    const url = splitUrl(pathname + search, prefix, roots)
    if (url === null) return null
    const address = peerAddress(socketAddress, request.headers.get('x-forwarded-for'), trustedProxies)
    const asked = prefix === '' ? request : moved(request, origin + url)
    return underPrefix(await app.fetch(asked, { address }), prefix)
  }
}

/** Field by field: what a framework calls a request need not be one that can be copied. */
function moved(request: Request, url: string): Request {
  const { method, headers, body, signal } = request
  return new Request(
    url,
    body === null ? { method, headers, signal } : { method, headers, signal, body, duplex: 'half' },
  )
}
