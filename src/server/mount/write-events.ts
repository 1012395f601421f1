import type { ServerResponse } from 'node:http'

/**
 * Writes an answer that lasts, part by part, each once the client has taken the one before it, until it ends or the client goes. The adapter's own way to do so keeps
 * a promise of every part until the end of the stream: half a kilobyte for each line of a log, however fast it is read.
 */
export async function writeEvents(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  body: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
): Promise<void> {
  const reader = body.getReader()
  const leave = () => void reader.cancel().catch(() => {})
  outgoing.once('close', leave)
  try {
    outgoing.statusCode = status
    outgoing.setHeaders(headers)
    outgoing.flushHeaders()
    while (!outgoing.destroyed) {
      const { done, value } = await reader.read()
      if (done) return void outgoing.end()
      if (!outgoing.write(value)) await untilTaken(outgoing)
    }
    // A client that had gone before is told by no event.
    leave()
  } catch {
    // Without an end, so that nobody takes it for whole.
    outgoing.destroy()
    leave()
  }
}

/** Resolves once what was written has been taken, or nobody is there any more to take it. */
function untilTaken(outgoing: ServerResponse): Promise<void> {
  if (outgoing.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    const settle = () => {
      outgoing.off('drain', settle)
      outgoing.off('close', settle)
      resolve()
    }
    outgoing.on('drain', settle)
    outgoing.on('close', settle)
  })
}
