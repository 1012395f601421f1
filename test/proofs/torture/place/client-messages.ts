/** Something that changes what is stored. Pontual's own statements say so in their text. */
const WRITING = /\b(insert\s+into|update|delete\s+from)\b/i
const LETTER_AND_LENGTH = 5

/** What a client asks of PostgreSQL, read from the bytes that it sends: whether it listens, and whether an answer will tell it that something is committed. */
export class ClientMessages {
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
