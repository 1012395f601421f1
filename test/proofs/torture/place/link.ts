import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WireMode } from '../stage.ts'

/** One direction of a connection. What was sent first arrives first, also when the delay becomes shorter meanwhile. */
class Delivery {
  readonly #to: Socket
  #last: Promise<void> = Promise.resolve()
  #waiting = 0

  constructor(to: Socket) {
    this.#to = to
  }

  pass(chunk: Buffer, delayMs: number): void {
    this.#after(delayMs, () => this.#to.write(chunk))
  }

  /** The other side has closed; all that it has sent still arrives. */
  end(delayMs: number): void {
    this.#after(delayMs, () => this.#to.destroySoon())
  }

  #after(delayMs: number, deliver: () => void): void {
    if (delayMs === 0 && this.#waiting === 0) {
      deliver()
      return
    }
    const dueAt = performance.now() + delayMs
    this.#waiting += 1
    this.#last = this.#last.then(async () => {
      await sleep(Math.max(0, dueAt - performance.now()))
      this.#waiting -= 1
      deliver()
    })
  }
}

/** Something that changes what is stored. Pontual's own statements say so in their text. */
const WRITING = /\b(insert\s+into|update|delete\s+from)\b/i

const LETTER_AND_LENGTH = 5

/** What a client asks of PostgreSQL, read from the bytes that it sends: whether it listens, and whether an answer will tell it that something is committed. */
class ClientMessages {
  #rest: Buffer = Buffer.alloc(0)
  #hasIntroducedItself = false
  /** Whether a prepared statement writes, by its name. */
  readonly #writes = new Map<string, boolean>()
  #isListening = false

  get isListening(): boolean {
    return this.#isListening
  }

  /** Whether something in these bytes commits when it succeeds: COMMIT itself, or a statement that writes where no transaction was begun. */
  take(chunk: Buffer, isInTransaction: boolean): boolean {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    let commits = false
    for (let message = this.#next(); message !== null; message = this.#next()) {
      commits = this.#read(message, isInTransaction) || commits
    }
    return commits
  }

  /** The next whole message; the very first has no letter and says who the client is. */
  #next(): Buffer | null {
    const lengthAt = this.#hasIntroducedItself ? 1 : 0
    if (this.#rest.length < lengthAt + 4) return null
    const end = lengthAt + this.#rest.readInt32BE(lengthAt)
    if (this.#rest.length < end) return null
    const message = this.#rest.subarray(0, end)
    this.#rest = this.#rest.subarray(end)
    if (this.#hasIntroducedItself) return message
    this.#hasIntroducedItself = true
    return this.#next()
  }

  #read(message: Buffer, isInTransaction: boolean): boolean {
    const texts = message.toString('latin1', LETTER_AND_LENGTH).split('\0', 2)
    const [first = '', second = ''] = texts
    switch (String.fromCharCode(message[0] ?? 0)) {
      case 'Q':
        this.#isListening ||= /^\s*listen\b/i.test(first)
        return /^\s*commit\b/i.test(first) || (!isInTransaction && WRITING.test(first))
      case 'P':
        this.#writes.set(first, WRITING.test(second))
        return false
      case 'B':
        return !isInTransaction && this.#writes.get(second) === true
      default:
        return false
    }
  }
}

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
