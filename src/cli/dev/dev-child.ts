import { type ChildProcess, fork } from 'node:child_process'
import { extname } from 'node:path'
import process from 'node:process'
import { systemEnv } from '../../clock.ts'
import { inherited } from '../../engine/sandbox/inherited-arguments.ts'
import { InvalidInputError, PontualError } from '../../errors.ts'
import { typeScriptArguments } from '../typescript/read-typescript.ts'
import type { Assignment, News, Order, SentProblem } from './messages.ts'

type Loaded = News & { readonly kind: 'loaded' | 'unloadable' }
type Running = News & { readonly kind: 'running' }

/** Longer than it gives to what runs, and to a database that is just being made. */
const STOP_MS = 20_000

/** The process in which the user's jobs run, from outside. */
export class DevChild {
  readonly #process: ChildProcess
  /** Resolves with how it has ended, in words. */
  readonly ended: Promise<string>

  /** Whether it may have anything open. */
  #isOpened = false

  /** What the user's code prints goes where it does, or to standard error where standard output is for programs. */
  constructor({ json }: { readonly json: boolean }) {
    // `.ts` in a clone, `.js` in the package.
    const file = new URL(`child${extname(import.meta.url)}`, import.meta.url)
    this.#process = fork(file, [], {
      execArgv: [...inherited(process.execArgv), ...typeScriptArguments()],
      stdio: ['ignore', json ? process.stderr.fd : 'inherit', 'inherit', 'ipc'],
    })
    this.ended = new Promise((resolve) => {
      this.#process.once('error', (error) => resolve(error.message))
      this.#process.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : String(signal)))
    })
  }

  /** Reads the user's files, and nothing else yet: another may still run. */
  async load(assignment: Assignment): Promise<Loaded> {
    await this.#next('ready')
    this.#send({ kind: 'load', assignment })
    return await this.#next<Loaded>('loaded', 'unloadable')
  }

  /** Opens the database, runs jobs and listens. */
  async open(order: Omit<Order & { kind: 'open' }, 'kind'>): Promise<Running> {
    this.#isOpened = true
    this.#send({ kind: 'open', ...order })
    const news = await this.#next<Running | (News & { kind: 'failed' })>('running', 'failed')
    if (news.kind === 'failed') throw errorOf(news.problem)
    return news
  }

  /** Lets it finish what it does, for a moment. Code that never gives up the processor would not even hear of it. */
  async stop(): Promise<void> {
    if (!this.#isOpened) this.kill()
    this.#send({ kind: 'stop' })
    const cancel = systemEnv.after(STOP_MS, () => this.kill())
    await this.ended
    cancel()
  }

  /** Ends it at once: as safe as a crash. */
  kill(): void {
    this.#process.kill('SIGKILL')
  }

  #send(order: Order): void {
    if (this.#process.connected) this.#process.send(order)
  }

  /** Rejects where the process ends first. */
  async #next<Expected extends News>(...kinds: readonly Expected['kind'][]): Promise<Expected> {
    return await new Promise((resolve, reject) => {
      const hear = (news: News) => {
        if (!kinds.some((kind) => kind === news.kind)) return
        this.#process.off('message', hear)
        resolve(news as Expected)
      }
      this.#process.on('message', hear)
      void this.ended.then((how) =>
        reject(
          new PontualError(
            'dev.ended',
            `The process of the jobs has ended: ${how}. Does a file of yours call process.exit()?`,
          ),
        ),
      )
    })
  }
}

function errorOf({ code, message, details, isInvalidInput }: SentProblem): PontualError {
  return new (isInvalidInput ? InvalidInputError : PontualError)(code, message, details)
}
