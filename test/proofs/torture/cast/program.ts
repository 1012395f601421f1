import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** The sources that this file is part of. */
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

/** Ends a process that could not reach the database when it started: whoever watches over it starts it again. */
export const NOT_STARTED = 75

export type ProgramName = 'node' | 'client' | 'service'

export interface Surroundings {
  /** Where the sources stand that it runs. Default: these. */
  readonly root?: string | undefined
  /** Added to ours. */
  readonly env?: Readonly<Record<string, string>> | undefined
}

export interface ProgramEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** The last that it wrote to its standard error. */
  readonly errors: string
}

/** A program of the cast in a process of its own, which ends with us however we end. */
export class Program {
  /** Resolves with the first thing it says once it is ready, or with null where it ends before. */
  readonly ready: Promise<unknown>
  readonly ended: Promise<ProgramEnd>
  readonly #child: ChildProcess
  #errors = ''
  #isStopped = false
  #hasEnded = false

  constructor(name: ProgramName, options: object, { root = ROOT, env = {} }: Surroundings = {}) {
    const loader = pathToFileURL(join(root, 'test/harness/typescript-loader.mjs')).href
    const path = join(root, 'test/proofs/torture/cast', `${name}-program.ts`)
    this.#child = spawn(process.execPath, ['--import', loader, path, JSON.stringify(options)], {
      // Its input ends with us. In a group of its own, so that Ctrl-C reaches us and we decide.
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
      env: { ...process.env, ...env },
    })
    this.#child.stdin?.on('error', () => {})
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = (this.#errors + text).slice(-4_000)
    })
    this.ended = new Promise((resolve) => {
      this.#child.on('close', (code, signal) => {
        this.#hasEnded = true
        resolve({ code, signal, errors: this.#errors })
      })
      this.#child.on('error', (error) => {
        this.#hasEnded = true
        resolve({ code: 1, signal: null, errors: error.message })
      })
    })
    const said = new Promise((resolve) => {
      const output = this.#child.stdout
      if (output) createInterface({ input: output }).once('line', (line) => resolve(JSON.parse(line)))
    })
    this.ready = Promise.race([said, this.ended.then(() => null)])
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  get isUp(): boolean {
    return !this.#hasEnded && !this.#isStopped
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Says a line to it. */
  tell(line: string): void {
    this.#child.stdin?.write(`${line}\n`)
  }

  signal(name: NodeJS.Signals): void {
    if (this.#hasEnded) return
    if (name === 'SIGSTOP') this.#isStopped = true
    if (name === 'SIGCONT') this.#isStopped = false
    this.#child.kill(name)
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL')
    await this.ended
  }
}
