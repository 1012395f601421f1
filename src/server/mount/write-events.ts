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
  const taking = new Taking(outgoing)
  outgoing.once('close', leave)
  // A host that ends the answer itself is told so by an error, which would end the process if nobody heard it.
  outgoing.on('error', leave)
  try {
    outgoing.statusCode = status
    outgoing.setHeaders(headers)
    outgoing.flushHeaders()
    while (!taking.isOver) {
      const { done, value } = await reader.read()
      if (done) return void outgoing.end()
      if (!taking.isOver && !outgoing.write(value)) await taking.next()
    }
    // A client that had gone before is told by no event.
    leave()
  } catch {
    // Without an end, so that nobody takes it for whole.
    outgoing.destroy()
    leave()
  }
}

/** Tells when what was written has been taken. It listens once for all of it: a host may hand listeners on to where they cannot be taken off. */
class Taking {
  readonly #outgoing: ServerResponse
  #taken = () => {}

  constructor(outgoing: ServerResponse) {
    this.#outgoing = outgoing
    for (const event of ['drain', 'close', 'error']) outgoing.on(event, () => this.#taken())
  }

  /** Nobody is there any more to take anything, or a host has ended it. */
  get isOver(): boolean {
    return this.#outgoing.destroyed || this.#outgoing.writableEnded
  }

  next(): Promise<void> {
    return new Promise((resolve) => {
      if (this.isOver) resolve()
      else this.#taken = resolve
    })
  }
}
