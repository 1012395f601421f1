import { appendFileSync } from 'node:fs'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EffectLine } from './effect-line.ts'

const TAIL_BYTES = 1_000_000

/** A file of effects that several processes write to. */
export class EffectFile implements AsyncDisposable {
  readonly #folder: string
  readonly path: string

  private constructor(folder: string) {
    this.#folder = folder
    this.path = join(folder, 'effects.jsonl')
    appendFileSync(this.path, '')
  }

  static async create(): Promise<EffectFile> {
    return new EffectFile(await mkdtemp(join(tmpdir(), 'pontual-effects-')))
  }

  /** In the order in which they were written. What a killed process was writing may be cut off: a line without its end. */
  async read(): Promise<EffectLine[]> {
    return parse(await readFile(this.path, 'utf8'))
  }

  /** The last few thousand of them. */
  async readTail(): Promise<EffectLine[]> {
    const file = await open(this.path)
    try {
      const { size } = await file.stat()
      const from = Math.max(0, size - TAIL_BYTES)
      const { buffer, bytesRead } = await file.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, from)
      return parse(buffer.toString('utf8', 0, bytesRead).replace(/^[^\n]*\n/, from > 0 ? '' : '$&'))
    } finally {
      await file.close()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }
}

function parse(text: string): EffectLine[] {
  const lines = text.split('\n').filter((line) => line.endsWith('}'))
  return lines.map((line) => JSON.parse(line) as EffectLine)
}
