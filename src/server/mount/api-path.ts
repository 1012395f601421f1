import type { App } from '../app-options.ts'
import { DASHBOARD_ROOT } from '../pages/page-path.ts'

/** Where the API lives, in the paths that it knows. */
const API_ROOTS = ['/api/jobs', '/api/session', '/api/health', '/api/metrics'] as const

/** What somebody may have mounted the API at: a prefix of his own, or some of our own path. */
const OUR_ENDINGS = [...API_ROOTS, '/api']

/** What an application answers. Everything else is its host's, also `/jobs` where there is no dashboard. */
export function rootsOf({ hasDashboard = false }: App): readonly string[] {
  return hasDashboard ? [...API_ROOTS, DASHBOARD_ROOT] : API_ROOTS
}

/** A URL, split into what others have put in front of the API and what the API knows; null where it is not the API's. */
export function splitUrl(url: string, prefix: string, roots: readonly string[] = API_ROOTS): string | null {
  if (!url.startsWith(prefix)) return null
  const rest = url.slice(prefix.length)
  const [path = ''] = rest.split('?', 1)
  return roots.some((root) => path === root || path.startsWith(`${root}/`)) ? rest : null
}

/** The prefix of a mount: where it was mounted at `/ops/api/jobs`, that is `/ops`. `/ops/jobs` may be anybody's own, and is a prefix as every other. */
export function prefixOf(mountedAt: string): string {
  const plain = mountedAt.replace(/\/+$/, '')
  const ending = OUR_ENDINGS.find((each) => plain.endsWith(each))
  return ending === undefined ? plain : plain.slice(0, -ending.length)
}

/** Under a prefix, what an answer points at stands under it too; what was told its prefix has seen to that. */
export function underPrefix(answer: Response, prefix: string): Response {
  const location = answer.headers.get('location')
  if (prefix !== '' && location?.startsWith('/api/')) answer.headers.set('location', prefix + location)
  return answer
}

/**
 * The address of who asks. What stands in X-Forwarded-For can be made up by anyone, except for what proxies of our own have added: `trustedProxies` says how
 * many of them stand between the network and us, and so how many entries from the end are true.
 */
export function peerAddress(
  socketAddress: string | null | undefined,
  forwardedFor: string | null,
  trustedProxies: number,
): string | null {
  if (trustedProxies === 0) return socketAddress ?? null
  const hops = (forwardedFor ?? '')
    .split(',')
    .map((hop) => hop.trim())
    .filter((hop) => hop !== '')
  return hops.at(-trustedProxies) ?? socketAddress ?? null
}
