import type { Socket } from 'node:net'
import type { WireMode } from '../stage.ts'
import { ClientMessages } from './client-messages.ts'
import { Delivery } from './delivery.ts'

/** The last bytes of an answer: the server is ready, and in no transaction (I), in one (T), or in one that has failed (E). */
const READY = Buffer.from('Z\0\0\0\x05')
/** Some statement of the answer has been done. */
const DONE = /C\0\0\0.(INSERT|UPDATE|DELETE|SELECT|COMMIT)/s
const READY_LENGTH = READY.length + 1

export interface LinkOptions {
  readonly client: Socket
  readonly server: Socket
  readonly mode: WireMode
  /** Whether the answer that tells of a commit is to be lost now. */
  readonly losesCommit: () => boolean
}

/** One connection through a wire. */
export class Link {
  readonly #client: Socket
  readonly #server: Socket
  readonly #losesCommit: () => boolean
  readonly #asked = new ClientMessages()
  #mode: WireMode
  /** Nothing passes any more, in either direction, and nobody is told. */
  #isDeaf = false
  #isInTransaction = false
  #awaitsCommit = false

  constructor({ client, server, mode, losesCommit }: LinkOptions) {
    this.#client = client
    this.#server = server
    this.#mode = mode
    this.#losesCommit = losesCommit
    this.#connect()
    this.set(mode)
  }

  get isListening(): boolean {
    return this.#asked.isListening && !this.#isDeaf
  }

  set(mode: WireMode): void {
    this.#mode = mode
    for (const socket of [this.#client, this.#server]) {
      if (mode === 'gone') socket.destroy()
      else if (mode === 'stalled') socket.pause()
      else socket.resume()
    }
  }

  cut(): void {
    this.#client.destroy()
    this.#server.destroy()
  }

  /** What a cable that was pulled looks like. The client's end is heard all the same, so that nothing is left behind. */
  deafen(): void {
    this.#isDeaf = true
  }

  #connect(): void {
    const [toServer, toClient] = [new Delivery(this.#server), new Delivery(this.#client)]
    this.#client.on('data', (chunk) => {
      if (this.#isDeaf) return
      this.#awaitsCommit = this.#asked.take(chunk, this.#isInTransaction) || this.#awaitsCommit
      toServer.pass(chunk, this.#delayMs)
    })
    this.#server.on('data', (chunk) => {
      if (this.#isDeaf || this.#loses(chunk)) return
      toClient.pass(chunk, this.#delayMs)
    })
    this.#client.on('error', () => {}).on('close', () => toServer.end(this.#delayMs))
    this.#server.on('error', () => {}).on('close', () => this.#isDeaf || toClient.end(this.#delayMs))
  }

  get #delayMs(): number {
    return typeof this.#mode === 'object' ? this.#mode.delayMs : 0
  }

  /** Reads an answer: where it tells of a commit, and that is to be lost, the connection is cut instead. */
  #loses(answer: Buffer): boolean {
    if (!answer.subarray(-READY_LENGTH, -1).equals(READY)) return false
    const status = String.fromCharCode(answer.at(-1) ?? 0)
    this.#isInTransaction = status !== 'I'
    const isCommitted = this.#awaitsCommit && !this.#isInTransaction && DONE.test(answer.toString('latin1'))
    if (!this.#isInTransaction) this.#awaitsCommit = false
    if (!isCommitted || !this.#losesCommit()) return false
    this.cut()
    return true
  }
}
