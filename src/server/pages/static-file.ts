import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { PAGE_HEADERS } from './page-headers.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}
const UNKNOWN_TYPE = 'application/octet-stream'

/** What is packed already gets no smaller. */
const PACKABLE = /^(text\/|image\/svg|application\/(json|manifest))/

/** Below this an answer fits into one packet anyway. */
const SMALLEST_PACKED = 1_024

/** A file whose name holds what is in it never changes. */
const HASHED = /^assets\/.+-[\w-]{8}\.\w+$/
const FOR_EVER = 'public, max-age=31536000, immutable'
const ASK_AGAIN = 'no-cache'

/** A file that is kept in memory, and packed when somebody first asks for it so. */
export class StaticFile {
  readonly #content: Uint8Array<ArrayBuffer>
  readonly #type: string
  readonly #caching: string
  readonly #digest: string
  readonly #packed = new Map<Encoding, Promise<Uint8Array<ArrayBuffer>>>()

  constructor(name: string, content: Uint8Array<ArrayBuffer>) {
    this.#content = content
    this.#type = TYPES[extname(name)] ?? UNKNOWN_TYPE
    this.#caching = HASHED.test(name) ? FOR_EVER : ASK_AGAIN
    this.#digest = createHash('sha256').update(content).digest('base64url').slice(0, 22)
  }

  async answer({ method, headers: asked }: Request): Promise<Response> {
    const encoding = this.#isPackable ? chosenEncoding(asked.get('accept-encoding')) : null
    const tag = `"${this.#digest}${encoding === null ? '' : `-${encoding}`}"`
    const headers = {
      ...PAGE_HEADERS,
      'cache-control': this.#caching,
      etag: tag,
      ...(this.#isPackable && { vary: 'Accept-Encoding' }),
    }
    if (isKnown(asked.get('if-none-match'), tag)) return new Response(null, { status: 304, headers })
    const body = encoding === null ? this.#content : await this.#pack(encoding)
    return new Response(method === 'HEAD' ? null : body, {
      status: 200,
      headers: {
        ...headers,
        'content-type': this.#type,
        'content-length': String(body.byteLength),
        ...(encoding !== null && { 'content-encoding': encoding }),
      },
    })
  }

  get #isPackable(): boolean {
    return PACKABLE.test(this.#type) && this.#content.byteLength >= SMALLEST_PACKED
  }

  #pack(encoding: Encoding): Promise<Uint8Array<ArrayBuffer>> {
    const known = this.#packed.get(encoding)
    if (known) return known
    const packed = packedAs[encoding](this.#content)
    this.#packed.set(encoding, packed)
    return packed
  }
}

/** Nearly as small as it gets, in a tenth of the time. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

const packedAs: Readonly<Record<Encoding, (content: Uint8Array) => Promise<Uint8Array<ArrayBuffer>>>> = {
  br: async (content) => await promisify(brotliCompress)(content, BROTLI),
  gzip: async (content) => await promisify(gzip)(content, { level: 9 }),
}

/** Whether a browser has it already. Compared weakly, as RFC 9110 says: a proxy may have weakened the tag. */
function isKnown(ifNoneMatch: string | null, tag: string): boolean {
  if (ifNoneMatch === null) return false
  return ifNoneMatch.split(',').some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === tag)
}

/** How an answer may be packed, the smallest first. */
const ENCODINGS = ['br', 'gzip'] as const

export type Encoding = (typeof ENCODINGS)[number]

/** The encoding that is taken by whoever asks; null: as it is. What he takes less gladly than another counts as taken. */
export function chosenEncoding(acceptEncoding: string | null): Encoding | null {
  const wishes = new Map((acceptEncoding ?? '').toLowerCase().split(',').map(readWish))
  return ENCODINGS.find((encoding) => wishes.get(encoding) ?? wishes.get('*') ?? false) ?? null
}

function readWish(text: string): [name: string, isTaken: boolean] {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim())
  return [name, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))]
}
