/** One event of a stream. */
export interface ReadEvent {
  readonly id?: string
  readonly event?: string
  readonly data?: unknown
}

/** Reads a stream of events as a browser does. */
export class EventReader {
  readonly response: Response
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  readonly #decoder = new TextDecoder()
  #rest = ''
  #blocks: string[] = []

  constructor(response: Response) {
    this.response = response
    this.#reader = response.body?.getReader()
  }

  static async open(url: string, headers: Readonly<Record<string, string>>): Promise<EventReader> {
    return new EventReader(await fetch(url, { headers }))
  }

  /** The next block, which may be a comment; null at the end. */
  async nextBlock(): Promise<string | null> {
    for (;;) {
      const block = this.#blocks.shift()
      if (block !== undefined) return block
      const part = await this.#reader?.read()
      if (!part || part.done) return null
      const pieces = (this.#rest + this.#decoder.decode(part.value, { stream: true })).split('\n\n')
      this.#rest = pieces.pop() ?? ''
      this.#blocks = pieces
    }
  }

  /** The next event that has data, but for counters, which may come at any time; null at the end. */
  async next(): Promise<ReadEvent | null> {
    for (;;) {
      const event = await this.#nextEvent()
      if (event?.event !== 'counters') return event
    }
  }

  /** The next counters; null at the end. */
  async nextCounters(): Promise<ReadEvent | null> {
    for (;;) {
      const event = await this.#nextEvent()
      if (event === null || event.event === 'counters') return event
    }
  }

  async #nextEvent(): Promise<ReadEvent | null> {
    for (;;) {
      const block = await this.nextBlock()
      if (block === null) return null
      const fields = Object.fromEntries(
        block.split('\n').map((line) => {
          const colon = line.indexOf(': ')
          return [line.slice(0, colon), line.slice(colon + 2)]
        }),
      )
      if (fields['data'] === undefined) continue
      return { ...fields, data: JSON.parse(fields['data']) as unknown }
    }
  }

  async close(): Promise<void> {
    await this.#reader?.cancel()
  }
}
