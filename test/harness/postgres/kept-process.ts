import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ServerUser } from './server-user.ts'

const KEEPER = fileURLToPath(new URL('./keep-process.mjs', import.meta.url))

export interface ProgramRequest {
  readonly command: string
  readonly args: readonly string[]
  readonly user: ServerUser
  /** Where it runs; removed when it has ended. */
  readonly folder: string
}

/** A program that ends with us, even if we are killed, and whose folder is removed then. */
export class KeptProcess {
  readonly #keeper: ChildProcess
  readonly #ended: Promise<void>
  #output = ''

  constructor({ command, args, user, folder }: ProgramRequest) {
    // In a process group of its own, so that Ctrl-C reaches us and not the program.
    this.#keeper = spawn(process.execPath, [KEEPER, JSON.stringify({ command, args, ...user, folder })], {
      detached: true,
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    this.#keeper.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#output = (this.#output + text).slice(-20_000)
    })
    this.#ended = new Promise((resolve) => {
      this.#keeper.on('close', () => resolve())
    })
    this.#keeper.unref()
  }

  /** What it said on its standard error. */
  get output(): string {
    return this.#output
  }

  get hasEnded(): boolean {
    return this.#keeper.exitCode !== null || this.#keeper.signalCode !== null
  }

  /** `keepsFolder`: somebody is going to start it there again. */
  async stop({ keepsFolder = false } = {}): Promise<void> {
    this.#keeper.ref()
    this.#keeper.stdin?.end(keepsFolder ? 'keep' : '')
    await this.#ended
  }
}
