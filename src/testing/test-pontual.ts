// Users may compile without this library, and then `await using` has no meaning in our declarations.
/// <reference lib="esnext.disposable" preserve="true" />
import { type Duration, parseDuration } from '../duration.ts'
import type { PontualOptions } from '../engine/app/options.ts'
import { type Pontual, pontualIn } from '../pontual.ts'
import { memory } from '../store/memory/memory.ts'
import type { StoreSource } from '../store/store.ts'
import { type Instant, instantOf } from '../time/instant.ts'
import { ManualEnv } from './manual-env.ts'
import { Tracker } from './tracked-store.ts'
import { type Watcher, watchedActivity, watchedJob } from './watched-jobs.ts'

/** An application, and when its test begins. */
export interface TestOptions extends Omit<PontualOptions, 'store'> {
  /** Default: a new `memory()`. */
  readonly store?: StoreSource | undefined
  /** What time it is when the test begins. Default 1 January 2026, 00:00 UTC. */
  readonly startAt?: Instant | undefined
  /** Decides what chance brings. Default 1. */
  readonly seed?: number | undefined
}

/** An application in a test: the engine of production, and a clock that stands still until you move it. */
export class TestPontual implements AsyncDisposable {
  /** The application: what it is asked in production it is asked here. */
  readonly app: Pontual
  readonly #env: ManualEnv

  /** @internal */
  constructor(app: Pontual, env: ManualEnv) {
    this.app = app
    this.#env = env
  }

  /** What time it is. */
  now(): number {
    return this.#env.now()
  }

  /** Moves the clock on. Everything that is due on the way fires and runs, in order, before this resolves. */
  async advance(by: Duration): Promise<void> {
    await this.#env.moveTo(this.#env.now() + parseDuration(by, 'by'))
  }

  /** Moves the clock to an instant. */
  async advanceTo(instant: Instant): Promise<void> {
    await this.#env.moveTo(instantOf(instant, 'instant'))
  }

  /** Lets everything end that does not wait for the clock. */
  async settle(): Promise<void> {
    await this.#env.settle()
  }

  /** Stops as in production; the clock moves as far as that takes. */
  async stop(): Promise<void> {
    await stopByHand(this.app, this.#env)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }
}

/** Stops as in production; the clock moves as far as that takes. */
export async function stopByHand(app: Pontual, env: ManualEnv): Promise<void> {
  let isStopped = false
  const stopping = app.stop().finally(() => {
    isStopped = true
  })
  while (!isStopped) {
    await env.settle()
    if (!isStopped) await env.moveTo(env.now() + 1_000)
  }
  await stopping
}

/** With a clock that jumps a lease is over before anybody could renew it, so that it lasts longer than any test. */
export const LEASE = '20000 days'
export const START_AT = Date.UTC(2026, 0, 1)

/**
 * Starts an application for a test.
 *
 * ```ts
 * await using t = await testPontual({ jobs: [nightly] })
 * await t.advance('1 year')
 * expect(await t.app.executions({ jobType: 'nightly', limit: 1_000 })).toHaveLength(365)
 * ```
 */
export async function testPontual({ store, startAt, seed = 1, ...options }: TestOptions = {}): Promise<TestPontual> {
  const tracker = new Tracker()
  let running = 0
  const handle = async (work: () => unknown): Promise<unknown> => {
    running += 1
    try {
      return await work()
    } finally {
      running -= 1
    }
  }
  const watcher: Watcher = { handle, perform: (work) => handle(() => work.perform()) }
  const jobs = (options.jobs ?? []).map((type) => watchedJob(type, watcher))
  const activities = (options.activities ?? []).map((activity) => watchedActivity(activity, watcher))
  const env = new ManualEnv({
    startAt: startAt === undefined ? START_AT : instantOf(startAt, 'startAt'),
    seed,
    ...tracker.activity,
    isBusy: () => tracker.isBusy || running > 0,
  })
  const app = pontualIn(
    { staleThreshold: LEASE, logger: 'silent', ...options, jobs, activities, store: tracker.watch(store ?? memory()) },
    { env, now: () => env.now() },
  )
  const test = new TestPontual(app, env)
  await app.start()
  await env.settle()
  return test
}
