import { connect as connectTo, createServer, type Server, type Socket } from 'node:net'

/** `open`: everything passes. `stalled`: connections stay and nothing passes. `gone`: connections are cut, and new ones too. */
export type ProxyMode = 'open' | 'stalled' | 'gone'

/** Stands between a client and a server on the loopback, and can let the server stall or be gone. */
export class TcpProxy implements AsyncDisposable {
  readonly #target: URL
  readonly #server: Server
  readonly #pairs = new Set<readonly [Socket, Socket]>()
  #mode: ProxyMode = 'open'

  private constructor(target: URL) {
    this.#target = target
    this.#server = createServer((client) => this.#accept(client))
  }

  static async before(url: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(new URL(url))
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  /** The same database, through here. */
  get url(): string {
    const address = this.#server.address()
    const url = new URL(this.#target)
    url.port = String(typeof address === 'object' ? address?.port : '')
    return url.href
  }

  set mode(mode: ProxyMode) {
    this.#mode = mode
    for (const pair of this.#pairs) this.#apply(pair)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.mode = 'gone'
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #accept(client: Socket): void {
    const server = connectTo(Number(this.#target.port), this.#target.hostname)
    const pair = [client, server] as const
    this.#pairs.add(pair)
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.on('data', (chunk) => to.write(chunk))
      from.on('error', () => {})
      from.on('close', () => {
        to.destroy()
        this.#pairs.delete(pair)
      })
    }
    this.#apply(pair)
  }

  #apply(pair: readonly [Socket, Socket]): void {
    for (const socket of pair) {
      if (this.#mode === 'gone') socket.destroy()
      else if (this.#mode === 'stalled') socket.pause()
      else socket.resume()
    }
  }
}
