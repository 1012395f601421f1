import { InvalidInputError, quote } from '../../errors.ts'
import type { PgConnection } from './pg-connection.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Scheme, user and password, hosts, and the rest of a connection string. A password may hold an unencoded "@" or comma. */
const URL_PARTS = /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#@]*)(.*)$/is

/** Pontual writes, so these mean the same to it: the server accepts writes. */
const ACCEPTED_ATTRS: readonly string[] = ['read-write', 'primary', 'any']

/**
 * One connection for each server of a connection in libpq's form: hosts and ports separated by commas, in the connection string, in its parameters
 * `host` and `port`, in the options, or in PGHOST and PGPORT. A port stands for all hosts, or there is one for each.
 */
export function connectionsOf(connection: string | PgConnection, environment: Environment): PgConnection[] {
  const given: PgConnection = typeof connection === 'string' ? { connectionString: connection } : connection
  const text = given.connectionString
  const parts = text === undefined ? null : URL_PARTS.exec(text)
  // A unix socket in one of the forms of `pg`: it has one server.
  if (text !== undefined && parts === null) return [given]
  if (parts === null) return ofOptions(given, environment)
  return ofText(given, { scheme: parts[1]!, user: parts[2]!, hosts: parts[3]!, rest: parts[4]! }, environment)
}

function ofOptions(given: PgConnection, environment: Environment): PgConnection[] {
  const attrs = given['target_session_attrs'] ?? environment['PGTARGETSESSIONATTRS']
  requireWritable(attrs)
  const hosts = given.host || environment['PGHOST'] || ''
  const ports = String(given.port || environment['PGPORT'] || '')
  if (!isList(hosts, ports)) return [given]
  return pair(hosts, ports).map(({ host, port }) => ({ ...given, host, ...(port && { port: Number(port) }) }))
}

interface TextParts {
  readonly scheme: string
  readonly user: string
  readonly hosts: string
  readonly rest: string
}

function ofText(given: PgConnection, { scheme, user, hosts, rest }: TextParts, environment: Environment) {
  const mark = rest.indexOf('?')
  const path = (mark < 0 ? rest : rest.slice(0, mark)) || '/'
  const query = new URLSearchParams(mark < 0 ? '' : rest.slice(mark + 1))
  requireWritable(
    query.get('target_session_attrs') ?? given['target_session_attrs'] ?? environment['PGTARGETSESSIONATTRS'],
  )
  const timeout = timeoutOf(query.get('connect_timeout'))
  const common = { ...given, ...(timeout !== null && { connectionTimeoutMillis: timeout }) }
  // As in libpq and `pg`, a parameter takes precedence over the hosts before it.
  const named = hosts.split(',').map(splitPort)
  const ownPorts = named.some(({ port }) => port !== '') ? named.map(({ port }) => port).join(',') : ''
  const hostList = query.get('host') || named.map(({ host }) => host).join(',') || environment['PGHOST'] || ''
  const portList = query.get('port') || ownPorts || environment['PGPORT'] || ''
  if (!isList(hostList, portList)) return [common]
  return pair(hostList, portList).map(({ host, port }) => {
    const each = new URLSearchParams(query)
    each.set('host', host)
    if (port) each.set('port', port)
    return { ...common, connectionString: `${scheme}${user}${path}?${each.toString()}` }
  })
}

function isList(hosts: string, ports: string): boolean {
  return hosts.includes(',') || ports.includes(',')
}

/** The port stands behind the last colon, unless that belongs to an address in brackets. */
function splitPort(place: string): { host: string; port: string } {
  const [, host = place, port = ''] = /^(.*?|\[.*\])(?::(\d*))?$/.exec(place) ?? []
  return { host: decoded(/^\[(.*)\]$/.exec(host)?.[1] ?? host), port }
}

/** A path of a socket is encoded here; text that is not is left to the error about the host. */
function decoded(host: string): string {
  try {
    return decodeURIComponent(host)
  } catch {
    return host
  }
}

function pair(hostList: string, portList: string): { host: string; port: string }[] {
  const hosts = hostList.split(',').map((host) => host.trim())
  const ports = portList.split(',').map((port) => port.trim())
  if (hosts.includes('')) {
    throw invalid(
      `The list of hosts ${quote(hostList)} has an empty entry. It takes a name or an address between commas.`,
    )
  }
  if (ports.length !== 1 && ports.length !== hosts.length) {
    throw invalid(
      `There are ${hosts.length} hosts (${quote(hostList)}) and ${ports.length} ports (${quote(portList)}). It takes one port, or one for each host.`,
    )
  }
  const wrong = ports.find((port) => port !== '' && !(/^\d+$/.test(port) && Number(port) > 0 && Number(port) < 65_536))
  if (wrong !== undefined) throw invalid(`A port must be a number from 1 to 65535, got ${quote(wrong)}.`)
  return hosts.map((host, place) => ({ host, port: (ports.length === 1 ? ports[0] : ports[place]) ?? '' }))
}

function requireWritable(attrs: unknown): void {
  if (attrs === undefined || attrs === null || ACCEPTED_ATTRS.includes(attrs as string)) return
  throw invalid(
    `target_session_attrs must be one of ${ACCEPTED_ATTRS.join(', ')}, got ${quote(attrs)}: Pontual needs a server that accepts writes.`,
  )
}

/** In seconds, as libpq takes it; 0 or nothing: the default. */
function timeoutOf(seconds: string | null): number | null {
  if (seconds === null || seconds === '' || seconds === '0') return null
  if (/^\d{1,6}$/.test(seconds)) return Number(seconds) * 1_000
  throw invalid(`connect_timeout must be a number of seconds, got ${quote(seconds)}.`)
}

function invalid(message: string): InvalidInputError {
  return new InvalidInputError('store.connection_invalid', message)
}
