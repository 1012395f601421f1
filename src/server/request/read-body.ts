import { InvalidFieldsError } from '../../service/errors.ts'
import { inspectJson } from './json-text.ts'
import { RequestError } from './request-error.ts'

export const BODY_LIMIT = 1_048_576

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The body of a request, as it came and as it reads; undefined where there is none. */
export interface JsonBody {
  readonly text: string
  readonly value: unknown
}

/** Reads a body as JSON, strictly: what two parsers could read differently is refused. null where nothing was sent. */
export async function readJson(request: Request): Promise<JsonBody | null> {
  const bytes = await readBytes(request).catch(incomplete)
  if (bytes.length === 0) return null
  requireMediaType(request.headers)
  const text = decode(bytes)
  const problem = inspectJson(text)
  if (problem) throw new InvalidFieldsError([problem])
  try {
    return { text, value: JSON.parse(text) as unknown }
  } catch {
    throw new RequestError(400, 'json_invalid', 'The body is not valid JSON.')
  }
}

/** A body that somebody else has read already, such as a framework's parser, comes as bytes again: mounts see to that. */
async function readBytes(request: Request): Promise<Uint8Array> {
  const announced = request.headers.get('content-length')
  if (announced !== null) {
    if (!(Number(announced) <= BODY_LIMIT)) throw tooLarge()
    // A server reads no more than was announced, so that it may be read at once.
    const bytes = new Uint8Array(await request.arrayBuffer())
    if (bytes.length > BODY_LIMIT) throw tooLarge()
    return bytes
  }
  if (request.body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let length = 0
  // Leaving the loop early cancels the body, so that the rest is not read.
  for await (const chunk of request.body as AsyncIterable<Uint8Array>) {
    length += chunk.length
    if (length > BODY_LIMIT) throw tooLarge()
    chunks.push(chunk)
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
}

/** Whoever sent it has gone, or took too long: nothing went wrong here. */
function incomplete(error: unknown): never {
  if (error instanceof RequestError) throw error
  throw new RequestError(400, 'body_incomplete', 'The body has not come as a whole.')
}

function tooLarge(): RequestError {
  return new RequestError(413, 'payload_too_large', `A body may have at most ${BODY_LIMIT} bytes.`, {
    details: { max: BODY_LIMIT },
  })
}

function requireMediaType(headers: Headers): void {
  const encoding = headers.get('content-encoding')
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    throw new RequestError(415, 'unsupported_media_type', 'A body must come without Content-Encoding.', {
      details: { case: 'encoding' },
    })
  }
  const [type = '', ...parameters] = (headers.get('content-type') ?? '').split(';').map((part) => part.trim())
  const isUtf8 = parameters.every((parameter) => /^$|^charset="?utf-8"?$/i.test(parameter))
  if (type.toLowerCase() === 'application/json' && isUtf8) return
  throw new RequestError(
    415,
    'unsupported_media_type',
    'A body must be JSON in UTF-8, with the header Content-Type: application/json.',
    {
      headers: { accept: 'application/json' },
    },
  )
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new RequestError(400, 'invalid_utf8', 'The body is not valid UTF-8.')
  }
}
