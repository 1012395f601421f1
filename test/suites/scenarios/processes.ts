import type { CancelTimer, Env } from '../../../src/clock.ts'
import { type Duration, parseDuration } from '../../../src/duration.ts'
import type { ExecutionView } from '../../../src/engine/app/executions.ts'
import type { PontualOptions } from '../../../src/engine/app/options.ts'
import { type Pontual, pontualIn } from '../../../src/pontual.ts'
import type { StoreSource } from '../../../src/store/store.ts'
import { ManualEnv } from '../../../src/testing/manual-env.ts'
import { Tracker } from '../../../src/testing/tracked-store.ts'
import { RecordedLog } from './recorded.ts'
import { scenarioStore } from './scenario-store.ts'
import { StoreLink } from './store-link.ts'

export type ProcessOptions = Omit<PontualOptions, 'store'>

const START_AT = Date.UTC(2026, 0, 1)
const STEP_MS = 1_000

/** Several processes on one store under one clock, which moves second by second: leases are renewed, and run out, as in life. */
export class Processes implements AsyncDisposable {
  readonly #tracker = new Tracker()
  readonly #env = new ManualEnv({ startAt: START_AT, seed: 1, ...this.#tracker.activity })
  readonly #source: StoreSource
  readonly #processes: Process[] = []

  constructor(store: StoreSource = scenarioStore()) {
    this.#source = this.#tracker.watch(store)
  }

  now(): number {
    return this.#env.now()
  }

  /** A process that has not been started. */
  process(options: ProcessOptions = {}): Process {
    const process = new Process(this.#env, this.#source, options)
    this.#processes.push(process)
    return process
  }

  /** A process that runs jobs. */
  async node(options: ProcessOptions = {}): Promise<Process> {
    const process = this.process(options)
    await process.app.start()
    await this.settle()
    return process
  }

  async settle(): Promise<void> {
    await this.#env.settle()
  }

  async pass(by: Duration): Promise<void> {
    const end = this.now() + parseDuration(by, 'by')
    await this.#env.settle()
    while (this.now() < end) await this.#env.moveTo(Math.min(this.now() + STEP_MS, end))
  }

  /** Lets the clock go on until something has happened that waits for it. */
  async until<Value>(promise: Promise<Value>, atMost: Duration = '5m'): Promise<Value> {
    const end = this.now() + parseDuration(atMost, 'atMost')
    let isOver = false
    const over = () => {
      isOver = true
    }
    promise.then(over, over)
    await this.#env.settle()
    while (!isOver && this.now() < end) await this.pass(STEP_MS)
    if (!isOver) throw new Error('It has not happened.')
    return await promise
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const process of this.#processes) {
      if (!process.isFrozen) await this.until(process.app.stop())
    }
  }
}

export class Process {
  readonly app: Pontual
  readonly log = new RecordedLog()
  readonly link = new StoreLink()
  readonly #env: ProcessEnv

  constructor(env: ManualEnv, source: StoreSource, options: ProcessOptions) {
    this.#env = new ProcessEnv(env)
    this.app = pontualIn(
      { logger: this.log.logger, ...options, store: this.link.to(source) },
      { env: this.#env, now: () => env.now() },
    )
  }

  get isFrozen(): boolean {
    return this.#env.isFrozen
  }

  /** How many timers are set: each would keep the process from ending. */
  get timers(): number {
    return this.#env.timers
  }

  /** As SIGSTOP does; for ever it is as dead as after SIGKILL. */
  freeze(): void {
    this.#env.freeze()
    this.link.freeze()
  }

  /** As SIGCONT does: everything it missed happens now. */
  thaw(): void {
    this.link.thaw()
    this.#env.thaw()
  }

  /** An execution that exists. */
  async execution(id: string): Promise<ExecutionView> {
    const execution = await this.app.execution(id)
    if (!execution) throw new Error(`There is no execution ${id}.`)
    return execution
  }
}

/** The time of one process, which stands still for it while it is frozen. */
class ProcessEnv implements Env {
  readonly #env: Env
  readonly #timers = new Set<object>()
  #missed: (() => void)[] | null = null

  constructor(env: Env) {
    this.#env = env
  }

  get isFrozen(): boolean {
    return this.#missed !== null
  }

  get timers(): number {
    return this.#timers.size
  }

  freeze(): void {
    this.#missed ??= []
  }

  thaw(): void {
    const missed = this.#missed ?? []
    this.#missed = null
    for (const call of missed) call()
  }

  now = (): number => this.#env.now()

  monotonic = (): number => this.#env.monotonic()

  random = (): number => this.#env.random()

  uuid = (at: number): string => this.#env.uuid(at)

  nextTurn(call: () => void): void {
    this.#env.nextTurn(() => {
      if (this.#missed) this.#missed.push(call)
      else call()
    })
  }

  after(delayMs: number, call: () => void): CancelTimer {
    return this.#timer(
      (ring) => this.#env.after(delayMs, ring),
      (timer) => {
        if (this.#timers.delete(timer)) call()
      },
    )
  }

  every(intervalMs: number, call: () => void): CancelTimer {
    return this.#timer(
      (ring) => this.#env.every(intervalMs, ring),
      (timer) => {
        if (this.#timers.has(timer)) call()
      },
    )
  }

  #timer(set: (ring: () => void) => CancelTimer, call: (timer: object) => void): CancelTimer {
    const timer = {}
    this.#timers.add(timer)
    const cancel = set(() => {
      if (this.#missed) this.#missed.push(() => call(timer))
      else call(timer)
    })
    return () => {
      this.#timers.delete(timer)
      cancel()
    }
  }
}
