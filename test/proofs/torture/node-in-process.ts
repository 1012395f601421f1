import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const LOADER = new URL('../../harness/typescript-loader.mjs', import.meta.url).href
const PROGRAM = fileURLToPath(new URL('./node-process.ts', import.meta.url))

export interface NodeEvent {
  readonly at: number
  readonly event: string
  readonly executionId?: string
  readonly attempt?: number
  readonly nodeId?: string
}

/** A node in a process of its own, which can be killed, stopped and continued. */
export class NodeInProcess implements AsyncDisposable {
  readonly events: NodeEvent[] = []
  readonly #child: ChildProcess
  readonly #ended: Promise<void>
  #errors = ''
  #onEvent: (() => void)[] = []

  /** `options`: what the program is started with, as JSON; the one here takes the `url` of a database, and what every node may be. */
  constructor(options: object, program = PROGRAM) {
    const loading = program.endsWith('.ts') ? ['--import', LOADER] : []
    this.#child = spawn(process.execPath, [...loading, program, JSON.stringify(options)], {
      // Its input ends with us, however we end.
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errors += text
    })
    if (this.#child.stdout) {
      createInterface({ input: this.#child.stdout }).on('line', (line) => {
        this.events.push(JSON.parse(line) as NodeEvent)
        this.#notify()
      })
    }
    this.#ended = new Promise((resolve) => {
      this.#child.on('close', () => {
        resolve()
        this.#notify()
      })
    })
  }

  /** What happened of one kind. */
  of(event: string): NodeEvent[] {
    return this.events.filter((each) => each.event === event)
  }

  /** Waits until what happened satisfies a condition. */
  async until(condition: (node: NodeInProcess) => boolean): Promise<void> {
    while (!condition(this)) {
      if (this.hasEnded) {
        throw new Error(`The node ended before its time: ${this.#errors}`)
      }
      await new Promise<void>((resolve) => this.#onEvent.push(resolve))
    }
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name)
  }

  get ended(): Promise<void> {
    return this.#ended
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#ended
  }

  #notify(): void {
    const waiting = this.#onEvent
    this.#onEvent = []
    for (const resolve of waiting) resolve()
  }
}
