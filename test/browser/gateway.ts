import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What lies between a browser and the server: it sees what is open, can be cut, and comes back at the same address. */
export class Gateway implements AsyncDisposable {
  readonly #target: URL
  readonly #open = new Set<ServerResponse>()
  readonly #resumes: (string | undefined)[] = []
  #server: Server
  #port = 0

  private constructor(target: URL) {
    this.#target = target
    this.#server = createServer((asked, answer) => this.#pass(asked, answer))
  }

  static async open(target: string): Promise<Gateway> {
    const gateway = new Gateway(new URL(target))
    await gateway.restore()
    return gateway
  }

  /** The same page as seen through it. */
  urlOf(url: string): string {
    const { pathname, search } = new URL(url)
    return `http://${this.#target.hostname}:${this.#port}${pathname}${search}`
  }

  /** Streams of events that are open now. */
  get streams(): number {
    return this.#open.size
  }

  /** Where each stream that was ever opened was to go on from. */
  get resumes(): readonly (string | undefined)[] {
    return this.#resumes
  }

  /** From now on nobody is there. */
  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    await closed
  }

  async restore(): Promise<void> {
    this.#server = createServer((asked, answer) => this.#pass(asked, answer))
    await new Promise<void>((resolve) => this.#server.listen(this.#port, this.#target.hostname, resolve))
    this.#port = (this.#server.address() as AddressInfo).port
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cut()
  }

  #pass(asked: IncomingMessage, answer: ServerResponse): void {
    const { method, url: path = '', headers } = asked
    if (path.endsWith('/api/jobs/events')) {
      this.#open.add(answer)
      this.#resumes.push(headers['last-event-id'] as string | undefined)
    }
    const { hostname, port } = this.#target
    const passed = request({ hostname, port, method, path, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers)
      answered.pipe(answer)
      answered.on('error', () => answer.destroy())
    })
    passed.on('error', () => answer.destroy())
    answer.on('close', () => {
      this.#open.delete(answer)
      passed.destroy()
    })
    asked.pipe(passed)
  }
}
