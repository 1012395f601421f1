import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Line } from './lines.ts'
import { machineNow } from './machine-time.ts'

type Unsigned<Each> = Each extends Line ? Omit<Each, 'at' | 'by'> : never

/** Writes what one process sees. Each line is with the system before `write` returns: `kill -9` takes nothing of it back. */
export class HistoryWriter implements Disposable {
  readonly #by: string
  readonly #file: number

  constructor(folder: string, by: string) {
    mkdirSync(folder, { recursive: true })
    this.#by = by
    this.#file = openSync(join(folder, `${by}.jsonl`), 'a')
  }

  write(line: Unsigned<Line>): void {
    writeSync(this.#file, `${JSON.stringify({ at: machineNow(), by: this.#by, ...line })}\n`)
  }

  [Symbol.dispose](): void {
    closeSync(this.#file)
  }
}
