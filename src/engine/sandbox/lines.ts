import { END_OF_OUTPUT } from './messages.ts'

/** A line without end is handed on in pieces of this length: none is cut by the execution's log, and none fills the memory. */
const MAX_PIECE = 2_000
const END = END_OF_OUTPUT.slice(0, -1)

export interface LinesOptions {
  onLine(line: string): void
  /** What a run has printed is complete. */
  onEnd(): void
}

/** Text as it comes, in lines. */
export class Lines {
  readonly #options: LinesOptions
  #rest = ''

  constructor(options: LinesOptions) {
    this.#options = options
  }

  add(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = ''
    const last = lines.pop() ?? ''
    for (const line of lines) this.#say(line)
    this.#rest = this.#sayPieces(last, END.length)
  }

  /** Says what is there of a line that has not ended. */
  flush(): void {
    const rest = this.#rest
    this.#rest = ''
    if (rest !== '') this.#sayWhole(rest)
  }

  #say(line: string): void {
    if (!line.endsWith(END)) {
      this.#sayWhole(line.endsWith('\r') ? line.slice(0, -1) : line)
      return
    }
    const before = line.slice(0, -END.length)
    if (before !== '') this.#sayWhole(before)
    this.#options.onEnd()
  }

  #sayWhole(line: string): void {
    this.#options.onLine(this.#sayPieces(line, 0))
  }

  /** Says all but the last piece of a text, which it returns: that one keeps room for a mark that is still on its way. */
  #sayPieces(text: string, room: number): string {
    let start = 0
    while (text.length - start > MAX_PIECE + room) {
      const end = endOfPiece(text, start)
      this.#options.onLine(text.slice(start, end))
      start = end
    }
    return text.slice(start)
  }
}

/** Two halves of a character stay together. */
function endOfPiece(text: string, start: number): number {
  const end = start + MAX_PIECE
  const unit = text.charCodeAt(end)
  return unit >= 0xdc00 && unit <= 0xdfff ? end - 1 : end
}
