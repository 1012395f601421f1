import type { Principal } from '../../access/principal.ts'
import type { Connection } from './authenticate.ts'
import { checkedPrincipal } from './checked-principal.ts'
import type { DevOptions } from './identity-options.ts'
import { isLoopbackAddress, isLoopbackHost } from './loopback.ts'

/** What a proxy leaves behind. Where there is one, the address is the proxy's and says nothing about who asks. */
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

/** Who everybody on this machine is in development. */
export function devPrincipal(options: boolean | DevOptions): Principal {
  const { tenant = 'default', userId = 'dev' } = typeof options === 'object' ? options : {}
  return checkedPrincipal({ tenant, userId, profile: 'Admin', permissions: null }, 'dev')
}

/** Whether a request comes from this machine, straight, and to a name of this machine: a page elsewhere that points its own name at us does not. */
export function isFromThisMachine({ headers, url }: Request, { address }: Connection): boolean {
  if (PROXY_HEADERS.some((name) => headers.has(name))) return false
  // A request that the application itself has made has no Host header; a server answers 400 to one that has come without.
  return isLoopbackAddress(address) && isLoopbackHost(headers.get('host') ?? new URL(url).host)
}
