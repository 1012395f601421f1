import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { FromProcess, ProcessRequest, ProcessState } from './process-messages.ts'

const LOADER = new URL('../../harness/typescript-loader.mjs', import.meta.url).href
const PROGRAM = fileURLToPath(new URL('./soak-process.ts', import.meta.url))
const START_MS = 180_000
const STOP_MS = 40_000

/** A process of the soak, which ends with us however we end. */
export class CrewMember {
  readonly name: string
  readonly serves: boolean
  readonly #child: ChildProcess
  readonly #told: FromProcess[] = []
  #onTold: (() => void) | null = null
  #errors = ''

  private constructor(request: ProcessRequest) {
    this.name = request.name
    this.serves = request.serves
    this.#child = fork(PROGRAM, [JSON.stringify(request)], {
      execArgv: ['--import', LOADER, '--expose-gc'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = (this.#errors + text).slice(-10_000)
    })
    this.#child.on('message', (message) => {
      this.#told.push(message as FromProcess)
      this.#onTold?.()
    })
    this.#child.on('exit', () => this.#onTold?.())
  }

  /** Resolves when it runs, and answers where it serves. */
  static async start(request: ProcessRequest): Promise<{ readonly member: CrewMember; readonly url: string | null }> {
    const member = new CrewMember(request)
    const answer = await member.#next(START_MS)
    if (answer.kind !== 'ready') throw new Error(`${request.name} answered out of turn.`)
    return { member, url: answer.url }
  }

  /** How it is now. */
  async state(): Promise<ProcessState> {
    this.#child.send('state')
    const answer = await this.#next(START_MS)
    if (answer.kind !== 'state') throw new Error(`${this.name} answered out of turn.`)
    return answer.state
  }

  /** Stops as a deploy does; by force where that takes too long. */
  async stop(): Promise<void> {
    if (this.#hasEnded) return
    const ended = once(this.#child, 'exit')
    if (this.#child.connected) this.#child.disconnect()
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MS)
    await ended
    clearTimeout(timer)
  }

  get #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  async #next(withinMs: number): Promise<FromProcess> {
    const deadline = performance.now() + withinMs
    for (;;) {
      const message = this.#told.shift()
      if (message) return message
      if (this.#hasEnded) throw new Error(`${this.name} ended before its time:\n${this.#errors}`)
      if (performance.now() > deadline) throw new Error(`${this.name} does not answer:\n${this.#errors}`)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 1_000)
        this.#onTold = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }
}

/** Several at once; where one does not start, none is left behind. */
export async function startCrew(requests: readonly ProcessRequest[]) {
  const started = await Promise.allSettled(requests.map((request) => CrewMember.start(request)))
  const up = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const members = up.map(({ member }) => member)
  const stop = async (): Promise<void> => {
    await Promise.all(members.map((member) => member.stop()))
  }
  const failure = started.find((each) => each.status === 'rejected')
  if (failure) {
    await stop()
    throw failure.reason
  }
  return { members, url: up.find(({ url }) => url !== null)?.url ?? null, stop }
}
