import { Buffer } from 'node:buffer'
import { promises as dns } from 'node:dns'
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { PontualError } from '../../errors.ts'
import { NonRetryableError } from '../../job/execution/failure.ts'
import { forAnybody, type Headers } from './headers.ts'
import { checkAddress, checkTarget, hostOf, type OutboundRules, portOf, TargetForbiddenError } from './target.ts'

export interface OutboundRequest {
  readonly url: string
  readonly method: string
  /** Names in lower case, already checked. */
  readonly headers: Headers
  readonly body: string | null
}

export interface OutboundAnswer {
  /** Where the answer came from, after redirects. */
  readonly url: string
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
}

export interface SendOptions {
  readonly rules: OutboundRules
  readonly signal: AbortSignal
  /** All addresses of a name. Default: what the system says. */
  readonly resolve?: Resolve | undefined
  /** Whether a redirect is an answer like any other, and is not followed. Default false. */
  readonly isDirect?: boolean | undefined
}

export type Resolve = (host: string) => Promise<readonly string[]>

const MAX_REDIRECTS = 3
const MAX_ANSWER_BYTES = 1_000_000
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/**
 * Sends a request that somebody has configured. Each target, also after a redirect, is resolved once, every address it has is checked, and the
 * connection goes to one of those: a name that answers differently the second time is of no use.
 */
export async function send(request: OutboundRequest, options: SendOptions): Promise<OutboundAnswer> {
  let current = request
  for (let redirects = 0; ; redirects += 1) {
    const url = checkTarget(current.url, options.rules)
    const answer = await ask(url, current, options)
    const location = REDIRECTS.has(answer.statusCode ?? 0) ? answer.headers.location : undefined
    if (location === undefined || options.isDirect === true) return await outboundAnswer(url, answer, options.signal)
    answer.destroy()
    if (redirects === MAX_REDIRECTS) throw new NonRetryableError(`It was redirected more than ${MAX_REDIRECTS} times.`)
    current = redirected(current, url, location, answer.statusCode ?? 0)
  }
}

async function outboundAnswer(url: URL, answer: IncomingMessage, signal: AbortSignal): Promise<OutboundAnswer> {
  const body = await readBody(answer, MAX_ANSWER_BYTES, signal)
  const headers = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as const)
  return { url: url.href, status: answer.statusCode ?? 0, headers: Object.fromEntries(headers), body }
}

function redirected(request: OutboundRequest, from: URL, location: string, status: number): OutboundRequest {
  if (!URL.canParse(location, from.href)) throw new TargetForbiddenError('It was redirected to what is no URL.')
  const to = new URL(location, from)
  const headers = to.origin === from.origin ? request.headers : forAnybody(request.headers)
  const isKept = status === 307 || status === 308 || request.method === 'GET' || request.method === 'HEAD'
  if (isKept) return { ...request, url: to.href, headers }
  const { 'content-type': _ofTheBody, ...others } = headers
  return { url: to.href, method: 'GET', headers: others, body: null }
}

async function ask(url: URL, request: OutboundRequest, options: SendOptions): Promise<IncomingMessage> {
  const host = hostOf(url)
  const addresses = await addressesOf(host, options)
  const isSecure = url.protocol === 'https:'
  const settings: RequestOptions & { servername?: string; autoSelectFamily?: boolean } = {
    // A connection of its own, to an address that was checked for this very request.
    agent: false,
    autoSelectFamily: true,
    host,
    port: portOf(url),
    path: `${url.pathname}${url.search}`,
    method: request.method,
    headers: { ...request.headers, host: url.host, 'accept-encoding': 'gzip, deflate, br' },
    lookup: answering(addresses),
    signal: options.signal,
    ...(isSecure && isIP(host) === 0 && { servername: host }),
  }
  return await new Promise((resolve, reject) => {
    const sent = (isSecure ? requestHttps : requestHttp)(settings, (answer) => {
      // Whoever reads it is told too; before anybody does, an error has nobody to go to.
      answer.on('error', () => {})
      resolve(answer)
    })
    sent.once('socket', (socket) => {
      socket.once('connect', () => {
        const address = socket.remoteAddress
        if (address !== undefined && addresses.includes(address)) return
        sent.destroy(new TargetForbiddenError('The connection went to an address that was not checked.'))
      })
    })
    sent.once('upgrade', (_answer, socket) => {
      socket.destroy()
      reject(new NonRetryableError('It was answered in another protocol.'))
    })
    sent.on('error', (error) => reject(unreached(error, url)))
    sent.end(request.body ?? undefined)
  })
}

async function addressesOf(host: string, { rules, signal, resolve = resolveBySystem }: SendOptions): Promise<string[]> {
  const addresses = isIP(host) === 0 ? [...(await resolve(host))] : [host]
  signal.throwIfAborted()
  if (addresses.length === 0) throw new PontualError('target_unreachable', `Host "${host}" has no address.`, { host })
  for (const address of addresses) checkAddress(host, address, rules)
  return addresses
}

async function resolveBySystem(host: string): Promise<string[]> {
  try {
    return (await dns.lookup(host, { all: true, order: 'verbatim' })).map(({ address }) => address)
  } catch (error) {
    throw new PontualError('target_unreachable', `Host "${host}" cannot be resolved.`, { host }, { cause: error })
  }
}

/** What the connection asks for the addresses of its host: it gets those that were checked. */
function answering(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, { all: wantsAll }, callback) => {
    if (wantsAll) callback(null, all)
    else callback(null, all[0]?.address ?? '', all[0]?.family)
  }
}

function unreached(error: Error, { host }: URL): Error {
  if (error instanceof PontualError || error.name === 'AbortError') return error
  const code = (error as NodeJS.ErrnoException).code ?? error.name
  return new PontualError('target_unreachable', `${host} cannot be reached: ${code}.`, { host, code }, { cause: error })
}

const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

/** The body of an answer, unpacked. What is counted is what comes out, so that a small answer cannot become a large one. */
async function readBody(answer: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      bytes += chunk.length
      if (bytes > maxBytes) return
      chunks.push(chunk)
    }
  }
  const decoder = decoderOf(answer.headers['content-encoding'])
  try {
    if (decoder) await pipeline(answer, decoder, collect, { signal })
    else await pipeline(answer, collect, { signal })
  } catch (error) {
    // To stop before the end is an error of the pipeline too.
    if (bytes <= maxBytes) throw error
  }
  if (bytes > maxBytes) throw new NonRetryableError(`The answer is larger than ${maxBytes} bytes.`)
  return Buffer.concat(chunks)
}

function decoderOf(encoding: string | undefined): Transform | null {
  const name = encoding?.trim().toLowerCase() ?? ''
  if (name === '' || name === 'identity') return null
  const create = DECODERS.get(name)
  if (create) return create()
  throw new NonRetryableError(
    'The answer is packed in a way that is not understood; understood are gzip, deflate and br.',
  )
}
