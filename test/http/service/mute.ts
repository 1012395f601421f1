import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

/** A server that takes every connection, and never says a word. */
export class Mute implements AsyncDisposable {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #count = 0

  private constructor() {
    this.#server = createServer((socket) => {
      this.#count += 1
      this.#sockets.add(socket)
      socket.on('error', () => {}).resume()
    })
  }

  static async open(): Promise<Mute> {
    const mute = new Mute()
    mute.#server.listen(0, '127.0.0.1')
    await once(mute.#server, 'listening')
    return mute
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** How many there have been. */
  get connections(): number {
    return this.#count
  }

  /** To do so again does nothing. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#server.listening) return
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
