import { Buffer } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { NonRetryableError } from '../../job/execution/failure.ts'

const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

/** The body of an answer, unpacked. What is counted is what comes out, so that a small answer cannot become a large one. */
export async function readBody(answer: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
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
