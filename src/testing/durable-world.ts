import { PontualError, quote } from '../errors.ts'
import type { AnyActivity } from '../job/activity/activity.ts'
import type { AnyJobType } from '../job/type/job-type.ts'
import { silentLogger } from '../logger.ts'
import { type Pontual, pontualIn } from '../pontual.ts'
import { memory } from '../store/memory/memory.ts'
import type { EngineStore, StoreSource } from '../store/store.ts'
import { instantOf } from '../time/instant.ts'
import { Effects } from './effects.ts'
import { ManualEnv } from './manual-env.ts'
import { type Ask, MortalNode } from './mortal-node.ts'
import { LEASE, START_AT, stopByHand, type TestOptions } from './test-pontual.ts'
import { Tracker } from './tracked-store.ts'
import { type ActivityWork, type Watcher, watchedActivity, watchedJob } from './watched-jobs.ts'
import { type Write, writeOf } from './writes.ts'

/** In place of the work of an activity. */
export type Mock = (work: ActivityWork) => unknown

/** Says of each write of a node whether the node dies before it, or after it. */
export interface CrashPlan {
  beforeWrite?(write: Write): boolean
  afterWrite?(write: Write): boolean
}

export interface WorldOptions extends TestOptions {
  readonly mocks: ReadonlyMap<string, Mock>
  readonly crashes: CrashPlan
}

/** One store, one clock, and a node that is followed by another whenever it dies. */
export class DurableWorld implements Watcher {
  readonly effects = new Effects()
  readonly env: ManualEnv
  /** Asks and tells, and outlives every node. */
  readonly client: Pontual
  readonly #options: WorldOptions
  readonly #tracker = new Tracker()
  readonly #source: StoreSource
  readonly #nodes: { readonly mortal: MortalNode; readonly app: Pontual }[] = []
  #store: EngineStore | null = null
  #underWay = 0
  #failure: { readonly reason: unknown } | null = null

  constructor(options: WorldOptions) {
    const { startAt, seed = 1, store } = options
    this.#options = options
    this.#source = this.#tracker.watch(store ?? memory())
    this.env = new ManualEnv({
      startAt: startAt === undefined ? START_AT : instantOf(startAt, 'startAt'),
      seed,
      ...this.#tracker.activity,
      isBusy: () => this.#tracker.isBusy || this.#underWay > 0,
    })
    this.client = this.#appOn(this.#source, this.env)
  }

  get crashes(): number {
    return this.#nodes.filter(({ mortal }) => mortal.isDead).length
  }

  async open(): Promise<void> {
    const { env } = this
    this.#store = await this.#source.open({ env, logger: silentLogger, now: () => env.now() })
    await this.#startNode()
    await this.settle()
  }

  async settle(): Promise<void> {
    await this.env.settle()
    this.#throwFailure()
  }

  async advance(byMs: number): Promise<void> {
    await this.env.moveTo(this.env.now() + byMs)
    this.#throwFailure()
  }

  async close(): Promise<void> {
    for (const { mortal, app } of this.#nodes) {
      if (!mortal.isDead) await Promise.race([stopByHand(app, this.env), mortal.death])
      if (mortal.isDead) await mortal.bury()
    }
    await this.client.stop()
    await this.#store?.close()
  }

  // What is seen of the work.

  async handle(work: () => unknown): Promise<unknown> {
    this.#underWay += 1
    try {
      return await work()
    } finally {
      this.#underWay -= 1
    }
  }

  async perform(work: ActivityWork): Promise<unknown> {
    this.effects.noteBegun(work)
    const mock = this.#options.mocks.get(work.context.activityId)
    return await this.handle(() => (mock ? mock(work) : work.perform()))
  }

  onCalled({ id, rules }: AnyActivity): void {
    if (rules.queue === null || this.#options.activities?.some((known) => known.id === id)) return
    throw new PontualError(
      'testing.activity_unknown',
      `Activity ${quote(id)} has the queue ${quote(rules.queue)}, and nobody serves it: give it in activities, or mock it.`,
      { activityId: id },
    )
  }

  // Nodes, and their deaths.

  async #startNode(): Promise<void> {
    const mortal = new MortalNode({
      beforeAsk: (ask) => this.#isPlanned('beforeWrite', ask),
      beforeAnswer: (ask, answer) => this.#isPlanned('afterWrite', ask, answer),
      onDeath: () => void this.handle(() => this.#takeOver(mortal)).catch((reason: unknown) => this.#fail(reason)),
    })
    const app = this.#appOn(mortal.source(this.#source), mortal.env(this.env))
    this.#nodes.push({ mortal, app })
    await Promise.race([app.start(), mortal.death])
  }

  /** At once: in a test nobody waits until a lease is over. */
  async #takeOver({ id }: MortalNode): Promise<void> {
    const store = this.#store as EngineStore
    if (id !== null) await store.nodes.remove(id)
    await store.leases.recover({ silentForMs: null, limit: 10_000 })
    await this.#startNode()
  }

  #isPlanned(when: keyof CrashPlan, ask: Ask, answer?: unknown): boolean {
    const write = writeOf(ask, answer)
    if (!write) return false
    if (when === 'afterWrite') this.effects.noteStored(write)
    return this.#options.crashes[when]?.(write) ?? false
  }

  #appOn(store: StoreSource, env: Parameters<typeof pontualIn>[1]['env']): Pontual {
    const { mocks: _, crashes: __, startAt: ___, seed: ____, ...options } = this.#options
    const jobs = (options.jobs ?? []).map((type: AnyJobType) => watchedJob(type, this))
    const activities = (options.activities ?? []).map((activity) => watchedActivity(activity, this))
    return pontualIn(
      { staleThreshold: LEASE, logger: 'silent', ...options, jobs, activities, store },
      { env, now: () => env.now() },
    )
  }

  #fail(reason: unknown): void {
    this.#failure ??= { reason }
  }

  #throwFailure(): void {
    if (this.#failure) throw this.#failure.reason
  }
}
