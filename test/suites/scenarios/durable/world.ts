import { type Duration, parseDuration } from '../../../../src/duration.ts'
import type { StoreSource } from '../../../../src/store/store.ts'
import { ManualEnv } from '../../../../src/testing/manual-env.ts'
import { type TestOptions, type TestPontual, testPontual } from '../../../../src/testing/test-pontual.ts'
import { Tracker } from '../../../../src/testing/tracked-store.ts'
import { Process, type ProcessOptions } from '../processes.ts'

const START_AT = Date.UTC(2026, 0, 1)
const STEP_MS = 1_000
/** So that what a dead node held is free before long. */
const QUICK = { staleThreshold: '3s', renewalInterval: '1s', staleCheckInterval: '1s' } as const

/** A new store for a test, or the one that all have: then a job type that is used in one test has an id of its own. */
export type SourceOf = () => StoreSource

let seeds = 1_000

/** An application whose ids are none of another's. */
export function startOn(store: StoreSource, options: Omit<TestOptions, 'store' | 'seed'>): Promise<TestPontual> {
  seeds += 1
  return testPontual({ ...options, store, seed: seeds })
}

/** Processes on one store under one clock, which can die, and of which it is known what they ask of the store. */
export class DurableWorld implements AsyncDisposable {
  readonly #tracker = new Tracker()
  readonly #env: ManualEnv
  readonly #source: StoreSource
  readonly #processes: Process[] = []

  constructor(source: StoreSource, startAt = START_AT) {
    seeds += 1
    this.#env = new ManualEnv({
      startAt,
      seed: seeds,
      ...this.#tracker.activity,
    })
    this.#source = this.#tracker.watch(source)
  }

  now(): number {
    return this.#env.now()
  }

  /** A process that runs jobs. */
  async node(options: ProcessOptions = {}): Promise<Process> {
    const process = new Process(this.#env, this.#source, { ...QUICK, ...options })
    this.#processes.push(process)
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

  /** As after SIGKILL, and until others have taken its work. */
  async kill(process: Process): Promise<void> {
    process.freeze()
    await this.pass('8s')
  }

  /** Lets the clock go on as far as a stop takes. */
  async stop(process: Process): Promise<void> {
    let isStopped = false
    const stopping = process.app.stop().finally(() => {
      isStopped = true
    })
    while (!isStopped) {
      await this.settle()
      if (!isStopped) await this.pass(STEP_MS)
    }
    await stopping
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const process of this.#processes) if (!process.isFrozen) await this.stop(process)
  }
}
