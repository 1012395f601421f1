import { BlockList, isIP } from 'node:net'
import { InvalidInputError, quote } from '../../errors.ts'
import { invalidOption, requireInteger, requireList, requireOptions } from '../../time/require.ts'

/** Where requests that people configure may go. */
export interface OutboundOptions {
  /** Only these: `api.example.com`, or `*.example.com` for every name below it. Default: any public host. */
  readonly hosts?: readonly string[] | undefined
  /** Default 80 and 443. */
  readonly ports?: readonly number[] | undefined
  /** Networks that may be reached though they are not public, such as `10.1.0.0/16`. Default: none. */
  readonly networks?: readonly string[] | undefined
}

export interface OutboundRules {
  readonly hosts: readonly string[] | null
  readonly ports: ReadonlySet<number>
  readonly networks: BlockList
  readonly hasNetworks: boolean
}

/** A request may not go where it was meant to go. */
export class TargetForbiddenError extends InvalidInputError {
  constructor(message: string, details: Readonly<Record<string, unknown>> = {}) {
    super('target_forbidden', message, details)
  }
}

const MAX_URL_LENGTH = 2_048
const MAX_PORT = 65_535
const DEFAULT_PORTS = [80, 443]
const HOST = /^(\*\.)?[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/

/** Names that mean this machine, its network or its cloud, whoever answers for them. */
const LOCAL_NAMES = /(^|\.)(localhost|local|internal|intranet|lan|home\.arpa)$/

export function outboundRules(options: OutboundOptions = {}): OutboundRules {
  requireOptions(options, 'Outbound options', ['hosts', 'ports', 'networks'])
  const { hosts, ports = DEFAULT_PORTS, networks = [] } = options
  return {
    hosts: hosts === undefined ? null : requireList(hosts, 'hosts').map(hostPattern),
    ports: new Set(requireList(ports, 'ports').map((port) => requireInteger(port, 'ports', 1, MAX_PORT))),
    networks: networksOf(requireList(networks, 'networks')),
    hasNetworks: networks.length > 0,
  }
}

function hostPattern(text: string): string {
  const host = text.toLowerCase()
  if (HOST.test(host)) return host
  throw invalidOption(text, 'hosts', 'names of hosts such as "api.example.com" or "*.example.com"')
}

/**
 * A URL that may be asked, as far as that can be told without asking anybody: what its name stands for is checked when it is resolved. Throws a
 * {@link TargetForbiddenError}.
 */
export function checkTarget(text: string, rules: OutboundRules): URL {
  if (text.length > MAX_URL_LENGTH) {
    throw new TargetForbiddenError(`The URL must have at most ${MAX_URL_LENGTH} characters, got ${text.length}.`, {
      case: 'length',
      max: MAX_URL_LENGTH,
      length: text.length,
    })
  }
  if (!URL.canParse(text)) {
    throw new TargetForbiddenError('The URL must be absolute, such as https://example.com/path.', { case: 'relative' })
  }
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new TargetForbiddenError(`The URL must begin with https:// or http://, got ${quote(url.protocol)}.`, {
      case: 'protocol',
      received: url.protocol,
    })
  }
  if (url.username !== '' || url.password !== '') {
    throw new TargetForbiddenError('The URL must hold neither user nor password.', { case: 'credentials' })
  }
  const port = portOf(url)
  if (!rules.ports.has(port)) {
    throw new TargetForbiddenError(`Port ${port} is not allowed; allowed are ${[...rules.ports].join(', ')}.`, {
      case: 'port',
      port,
      ports: [...rules.ports],
    })
  }
  checkHost(hostOf(url), rules)
  return url
}

export function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}

/** The name or address of a URL: without the brackets of IPv6 and without the dot that ends a full name. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}

function checkHost(host: string, rules: OutboundRules): void {
  if (rules.hosts !== null && !rules.hosts.some((pattern) => fits(host, pattern))) {
    throw new TargetForbiddenError(`Host ${quote(host)} is not one of those allowed.`, { case: 'host', host })
  }
  if (isIP(host) !== 0) checkAddress(host, host, rules)
  else if (host === '' || (LOCAL_NAMES.test(host) && !rules.hasNetworks)) {
    throw new TargetForbiddenError(`Host ${quote(host)} is not a public one.`, { case: 'private', host })
  }
}

/** Throws unless a request for a host may be sent to this address. What a name stands for inside is not told: whoever may name hosts could ask for all of them. */
export function checkAddress(host: string, address: string, rules: OutboundRules): void {
  if (isPublicAddress(address) || isWithin(rules.networks, address)) return
  throw new TargetForbiddenError(`Host ${quote(host)} is not a public one.`, { case: 'private', host })
}

function fits(host: string, pattern: string): boolean {
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern
}

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
function isWithin(networks: BlockList, address: string): boolean {
  const version = isIP(address)
  if (version === 0 || address.includes('%')) return false
  // An IPv4 address in the clothes of IPv6 counts as what it is written as.
  if (version === 6 && /^::ffff:/i.test(address)) return false
  return networks.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

/** Networks written as `10.1.0.0/16`, or as one address. */
function networksOf(texts: readonly string[]): BlockList {
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
