import { closeSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { StringDecoder } from 'node:string_decoder'

/** What a line of the log begins with: when, which process, and the SQLSTATE of an error. */
export const LOG_SETTINGS = [
  'log_line_prefix=%m [%p] %e ',
  // The statements themselves are long, and nobody reads them here.
  'log_min_error_statement=panic',
  'log_checkpoints=off',
]
const FAILURE = /\] ([0-9A-Z]{5}) (?:ERROR|FATAL|PANIC): /

/** The log of a server, in a file, over all its starts. */
export class ServerLog {
  readonly #path: string
  readonly #counts = new Map<string, number>()
  readonly #decoder = new StringDecoder('utf8')
  #position = 0
  #unfinished = ''
  #reading: Promise<void> = Promise.resolve()

  constructor(path: string) {
    this.#path = path
    closeSync(openSync(path, 'a'))
  }

  /** For a process to write to, which has to be closed here once it has it. */
  openForServer(): number {
    return openSync(this.#path, 'a')
  }

  /** How many errors of a kind it tells of so far. */
  async count(sqlState: string): Promise<number> {
    this.#reading = this.#reading.then(() => this.#readOn())
    await this.#reading
    return this.#counts.get(sqlState) ?? 0
  }

  /** Its last lines, for a message. */
  async tail(): Promise<string> {
    const file = await open(this.#path)
    try {
      return (await file.readFile('utf8')).split('\n').slice(-20).join('\n')
    } finally {
      await file.close()
    }
  }

  async #readOn(): Promise<void> {
    const file = await open(this.#path)
    try {
      for await (const chunk of file.createReadStream({ start: this.#position, autoClose: false })) {
        this.#position += (chunk as Buffer).length
        this.#take(this.#unfinished + this.#decoder.write(chunk as Buffer))
      }
    } finally {
      await file.close()
    }
  }

  #take(text: string): void {
    const lines = text.split('\n')
    this.#unfinished = lines.pop() ?? ''
    for (const line of lines) {
      const sqlState = FAILURE.exec(line)?.[1]
      if (sqlState) this.#counts.set(sqlState, (this.#counts.get(sqlState) ?? 0) + 1)
    }
  }
}
