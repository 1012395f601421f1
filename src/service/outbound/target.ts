import { type BlockList, isIP } from 'node:net'
import { InvalidInputError, quote } from '../../errors.ts'
import { invalidOption, requireInteger, requireList, requireOptions } from '../../time/require.ts'
import { isPublicAddress, isWithin, networksOf } from './address.ts'

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
