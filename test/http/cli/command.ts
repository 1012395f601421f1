import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** What has to stand between `node` and a program so that it runs on the sources. */
const ON_SOURCES = ['--import', new URL('../../proofs/torture/sources-as-package.mjs', import.meta.url).href]

export const PONTUAL = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url))

interface Ended {
  readonly code: number | null
  readonly output: string
  readonly errors: string
}

/** A program in a process of its own, as somebody would run it. */
export class RunningProgram {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  #output = ''
  #errors = ''

  /** `environment` is added to what Node needs; nothing else of ours is seen. */
  constructor(args: readonly string[], environment: Readonly<Record<string, string>> = {}, cwd?: string) {
    const { PATH = '', HOME = '' } = process.env
    this.child = spawn(process.execPath, [...ON_SOURCES, ...args], { env: { PATH, HOME, ...environment }, cwd })
    endWithTest(this.child)
    this.child.stdout?.on('data', (data) => {
      this.#output += String(data)
    })
    this.child.stderr?.on('data', (data) => {
      this.#errors += String(data)
    })
    this.ended = new Promise((resolve) => {
      this.child.once('close', (code) => resolve({ code, output: this.#output, errors: this.#errors }))
    })
  }

  /** What has been printed, once it holds what is looked for. */
  async until(isThere: RegExp): Promise<string> {
    return await this.#until(isThere, 'stdout', () => this.#output)
  }

  /** The same of standard error. */
  async untilNoted(isThere: RegExp): Promise<string> {
    return await this.#until(isThere, 'stderr', () => this.#errors)
  }

  async #until(isThere: RegExp, stream: 'stdout' | 'stderr', text: () => string): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      const look = () => {
        if (isThere.test(text())) resolve()
      }
      look()
      this.child[stream]?.on('data', look)
      void this.ended.then(({ errors }) => reject(new Error(`It ended before it printed ${isThere}: ${errors}`)))
    })
    return text()
  }

  /** Leaves nothing behind, also where a test fails. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop('SIGKILL')
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    this.child.kill(signal)
    return await this.ended
  }
}

/** A test that has run out of time does not come to its end, and disposes of nothing. */
function endWithTest(child: ChildProcess): void {
  try {
    onTestFinished(() => void child.kill('SIGKILL'))
  } catch {
    // Within a hook, which awaits its end.
  }
}
