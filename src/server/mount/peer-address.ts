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
