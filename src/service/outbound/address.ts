import { BlockList, isIP } from 'node:net'
import { invalidOption } from '../../time/require.ts'

/** IPv4 networks that are not the public internet, by the registry of special addresses, and those where a cloud keeps its secrets. */
const NOT_PUBLIC_4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // What Azure tells its machines about themselves stands at a public address.
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/** Global unicast: whatever is outside is local, mapped, translated, multicast or unassigned. */
const GLOBAL_6 = '2000::/3'

/** Within it: protocols of their own (Teredo among them), documentation, and IPv4 in disguise. */
const NOT_PUBLIC_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const notPublic4 = networksOf(NOT_PUBLIC_4)
const global6 = networksOf([GLOBAL_6])
const notPublic6 = networksOf(NOT_PUBLIC_6)

/** Whether an address, not a name, belongs to the public internet. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !notPublic4.check(address, 'ipv4')
    case 6:
      return !address.includes('%') && global6.check(address, 'ipv6') && !notPublic6.check(address, 'ipv6')
    default:
      return false
  }
}

/** Whether an address lies in one of the networks. */
export function isWithin(networks: BlockList, address: string): boolean {
  const version = isIP(address)
  if (version === 0 || address.includes('%')) return false
  // An IPv4 address in the clothes of IPv6 counts as what it is written as.
  if (version === 6 && /^::ffff:/i.test(address)) return false
  return networks.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

/** Networks written as `10.1.0.0/16`, or as one address. */
export function networksOf(texts: readonly string[]): BlockList {
  const networks = new BlockList()
  for (const text of texts) {
    const [address = '', length, ...rest] = text.split('/')
    const version = isIP(address)
    const bits = version === 4 ? 32 : 128
    const prefix = length === undefined ? bits : /^\d{1,3}$/.test(length) ? Number(length) : -1
    if (version === 0 || prefix < 0 || prefix > bits || rest.length > 0) {
      throw invalidOption(text, 'networks', 'networks such as "10.1.0.0/16" or "fd00:1::/64"')
    }
    networks.addSubnet(address, prefix, version === 4 ? 'ipv4' : 'ipv6')
  }
  return networks
}
