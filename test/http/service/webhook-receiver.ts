import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedHook {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Whoever listens to webhooks: answers as it is told, and keeps what it got. */
export class WebhookReceiver implements AsyncDisposable {
  readonly received: ReceivedHook[] = []
  /** The answers to come; then 204. */
  readonly answers: number[] = []
  /** Paths at which nobody is answered. */
  readonly mute = new Set<string>()
  /** Where answers that redirect send whoever asks. */
  location = ''
  readonly #server: Server

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        this.received.push({
          path: request.url ?? '',
          headers: request.headers,
          body: Buffer.concat(chunks).toString(),
        })
        if (this.mute.has(request.url ?? '')) return
        response.writeHead(this.answers.shift() ?? 204, this.location === '' ? {} : { location: this.location }).end()
      })
    })
  }

  static async open(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver()
    receiver.#server.listen(0, '127.0.0.1')
    await once(receiver.#server, 'listening')
    return receiver
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`
  }

  /** Lets go of whoever waits for an answer. */
  hangUp(): void {
    this.#server.closeAllConnections()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.hangUp()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

/** As whoever gets it is told to: the signature holds, and is not older than five minutes. */
export function isSigned({ headers, body }: ReceivedHook, secret: string, now: number): boolean {
  const parts = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-pontual-signature']))
  if (!parts) return false
  const expected = createHmac('sha256', secret).update(`${parts[1]}.${body}`).digest()
  return timingSafeEqual(expected, Buffer.from(parts[2]!, 'hex')) && Math.abs(now / 1_000 - Number(parts[1])) <= 300
}
