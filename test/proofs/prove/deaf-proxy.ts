import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** What becomes of a connection on which somebody wants to listen: `mute`, it stays and says nothing any more; `cut`, it ends. */
export type Deafness = 'mute' | 'cut'

/** Stands before a server: everything passes but notifications, since a connection that listens is silenced. */
export class DeafProxy implements AsyncDisposable {
  readonly #server: Server
  readonly #target: URL
  readonly #deafness: Deafness
  readonly #sockets = new Set<Socket>()
  /** How many connections wanted to listen. */
  silenced = 0

  private constructor(target: URL, deafness: Deafness) {
    this.#target = target
    this.#deafness = deafness
    this.#server = createServer((client) => this.#accept(client))
  }

  static async before(url: string, deafness: Deafness): Promise<DeafProxy> {
    const proxy = new DeafProxy(new URL(url), deafness)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  /** The same database, through here. */
  get url(): string {
    const url = new URL(this.#target)
    url.port = String((this.#server.address() as AddressInfo).port)
    return url.href
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #accept(client: Socket): void {
    const server = connect(Number(this.#target.port), this.#target.hostname)
    let isDeaf = false
    client.on('data', (chunk) => {
      if (!isDeaf && chunk.includes('listen "')) {
        isDeaf = true
        this.silenced += 1
        if (this.#deafness === 'cut') client.destroy()
      }
      if (!isDeaf) server.write(chunk)
    })
    server.on('data', (chunk) => isDeaf || client.write(chunk))
    client.on('close', () => server.destroy())
    server.on('close', () => client.destroy())
    for (const socket of [client, server]) {
      socket.on('error', () => {})
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
    }
  }
}
