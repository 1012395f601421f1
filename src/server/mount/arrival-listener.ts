import { type IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener, RequestError } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Env, systemEnv } from '../../clock.ts'
import type { App } from '../app-options.ts'
import { underPrefix } from './api-path.ts'
import { refusalResponse } from './refusal.ts'

/** A request as whoever mounts the API has received it. */
interface Arrival {
  /** The path and query as the API knows them. */
  readonly url: string
  /** What stands before that in the URL; empty where nothing does. */
  readonly prefix: string
  readonly address: string | null
}

export type ArrivalListener = (incoming: IncomingMessage, outgoing: ServerResponse, arrival: Arrival) => Promise<void>

const LONGEST_URL = 8_192

/**
 * Answers requests of `node:http`, however they have come here. `replacesGlobals`: the adapter puts its own Request and Response in the place of Node's, for
 * the whole process, which saves a tenth of a millisecond with every answer.
 */
export function arrivalListener(app: App, env: Env = systemEnv, replacesGlobals = false): ArrivalListener {
  const arrivals = new WeakMap<object, Arrival>()
  const listener = getRequestListener(
    async (request, { incoming, outgoing }) => {
      const { prefix = '', address = null } = arrivals.get(incoming) ?? {}
      if (request.url.length > LONGEST_URL) return refusalResponse(414, env, request.headers.get('accept-language'))
      const answer = underPrefix(await app.fetch(request, { address }), prefix)
      const events = eventsOf(answer)
      // A host may speak HTTP/2, which the adapter knows how to write.
      if (events === null || !(outgoing instanceof ServerResponse)) return inParts(answer, incoming)
      await writeEvents(answer, events, outgoing)
      // A copy is Node's own Response whatever has taken its place: of its own kind the adapter writes all without looking.
      return RESPONSE_ALREADY_SENT.clone()
    },
    {
      overrideGlobalObjects: replacesGlobals,
      errorHandler: (error) => refusalResponse(error instanceof RequestError ? 400 : 500, env),
    },
  )
  return async (incoming, outgoing, arrival) => {
    arrivals.set(incoming, arrival)
    incoming.url = arrival.url
    await listener(incoming, outgoing)
  }
}

/** The body of a stream of events; null where an answer is none, or has no body. */
function eventsOf(answer: Response): ReadableStream<Uint8Array> | null {
  return answer.headers.get('content-type')?.startsWith('text/event-stream') ? answer.body : null
}

/**
 * Says of an answer that is written as it comes about that it comes in parts, of which the last one shows that it is whole. Otherwise the adapter reads ahead, and
 * takes what it has got when the answer fails for all there is.
 */
function inParts(answer: Response, { method, httpVersion }: Pick<IncomingMessage, 'method' | 'httpVersion'>): Response {
  const isLasting = answer.headers.get('content-type')?.startsWith('text/csv') === true
  if (isLasting && method === 'GET' && httpVersion === '1.1') answer.headers.set('transfer-encoding', 'chunked')
  return answer
}

/**
 * Writes an answer that lasts, part by part, each once the client has taken the one before it, until it ends or the client goes. The adapter's own way to do so keeps
 * a promise of every part until the end of the stream: half a kilobyte for each line of a log, however fast it is read.
 */
async function writeEvents(
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
