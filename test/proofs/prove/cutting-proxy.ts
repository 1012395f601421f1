import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/**
 * When the client loses its connection, once what it asked for is on its way to the server: `answered`, the server has answered, so that it is committed, and the
 * answer is held back; `sent`, at once, while the server goes on; `torn`, at once, and the server's side as well.
 */
export type Cut = 'answered' | 'sent' | 'torn'

/** Stands before a server, and cuts a connection on which a marked request is sent. */
export class CuttingProxy implements AsyncDisposable {
  readonly #server: Server
  readonly #target: URL
  readonly #decide: (marks: readonly string[]) => Cut | null
  readonly #sockets = new Set<Socket>()
  readonly cuts: Record<Cut, number> = { answered: 0, sent: 0, torn: 0 }

  private constructor(target: URL, decide: (marks: readonly string[]) => Cut | null) {
    this.#target = target
    this.#decide = decide
    this.#server = createServer((client) => this.#accept(client))
  }

  /** `decide` is told the marks of each request that has any: texts of the form `mark-…-`. */
  static async before(url: string, decide: (marks: readonly string[]) => Cut | null): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(new URL(url), decide)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  /** The same server, through here. */
  get url(): string {
    const url = new URL(this.#target)
    url.hostname = '127.0.0.1'
    url.port = String((this.#server.address() as AddressInfo).port)
    return url.href
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #accept(client: Socket): void {
    const server = connect(Number(this.#target.port), this.#target.hostname)
    for (const socket of [client, server]) {
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => this.#sockets.delete(socket))
      this.#sockets.add(socket)
    }
    let isCut = false
    client.on('data', (chunk) => {
      if (isCut) return
      const cut = this.#decide(marksIn(chunk))
      if (cut === null) return void server.write(chunk)
      isCut = true
      this.cuts[cut] += 1
      // Only what has left is on its way.
      server.write(chunk, () => {
        if (cut === 'torn') server.destroy()
        if (cut !== 'answered') client.destroy()
      })
    })
    server.on('data', (chunk) => {
      if (!isCut) return void client.write(chunk)
      client.destroy()
      server.destroy()
    })
    client.on('close', () => {
      if (!isCut) server.destroy()
    })
    server.on('close', () => client.destroy())
  }
}

function marksIn(chunk: Buffer): string[] {
  return chunk.includes('mark-') ? (chunk.toString('latin1').match(/mark-[0-9a-z]+-/g) ?? []) : []
}
