import { type ChildProcess, spawn } from 'node:child_process'

/** Where commands run, and what they see. */
export interface Surroundings {
  readonly directory: string
  readonly environment: Readonly<Record<string, string>>
}

const LIMIT_MS = 120_000

/** Commands in a terminal of their own. */
export class TutorialProgram {
  readonly ended: Promise<number | null>
  readonly #shell: ChildProcess
  readonly #listeners = new Set<() => void>()
  #output = ''
  #read = 0
  /** Until all it has printed was read. */
  #isRunning = true

  constructor(commands: string, { directory, environment }: Surroundings) {
    // A group of its own, so that all it has started hears of Ctrl+C, as in a terminal.
    this.#shell = spawn('bash', ['-euo', 'pipefail', '-c', commands], {
      cwd: directory,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: environment,
    })
    for (const stream of [this.#shell.stdout, this.#shell.stderr]) {
      stream?.on('data', (data) => {
        this.#output += String(data)
        this.#tell()
      })
    }
    this.ended = new Promise((resolve) => {
      this.#shell.once('close', (code) => {
        this.#isRunning = false
        resolve(code)
        this.#tell()
      })
    })
  }

  /** Waits until it has printed something that it has not been seen to print before. */
  async shows(text: RegExp): Promise<void> {
    const found = await this.#until(() => text.exec(this.#output.slice(this.#read)))
    if (!found) throw new Error(`It does not print ${text}, but:\n${this.#output.slice(this.#read)}`)
    this.#read += found.index + found[0].length
  }

  /** Waits until this is part of all it has printed. */
  async prints(text: RegExp): Promise<void> {
    const found = await this.#until(() => text.exec(this.#output))
    if (!found) throw new Error(`It does not print ${text}, but:\n${this.#output}`)
  }

  /** Waits until it has ended by itself. */
  async endsWith(code: number): Promise<void> {
    const hasEnded = await this.#until(() => (this.#isRunning ? null : true))
    const actual = hasEnded ? await this.ended : null
    if (actual !== code) throw new Error(`It ends with ${actual ?? 'nothing'} in place of ${code}:\n${this.#output}`)
  }

  async pressCtrlC(): Promise<void> {
    this.#signal('SIGINT')
    await this.#until(() => (this.#isRunning ? null : true))
  }

  /** Leaves nothing behind. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#signal('SIGKILL')
    await this.ended
  }

  #signal(signal: NodeJS.Signals): void {
    try {
      process.kill(-this.#shell.pid!, signal)
    } catch {
      // All of it has ended.
    }
  }

  async #until<Found>(look: () => Found | null): Promise<Found | null> {
    const found = look()
    if (found !== null || !this.#isRunning) return found
    return await new Promise((resolve) => {
      const settle = (answer: Found | null) => {
        clearTimeout(timer)
        this.#listeners.delete(listener)
        resolve(answer)
      }
      const listener = () => {
        const now = look()
        if (now !== null || !this.#isRunning) settle(now)
      }
      const timer = setTimeout(() => settle(look()), LIMIT_MS)
      this.#listeners.add(listener)
    })
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}
