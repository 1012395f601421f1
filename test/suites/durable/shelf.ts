import { durableContext } from '../../../src/durable/context.ts'
import type { ChildRequest, RunHost, RunStop, StepEvent, StepFacts } from '../../../src/durable/host.ts'
import { Run } from '../../../src/durable/run.ts'
import type { DurableContext, DurableTransaction } from '../../../src/job/activity/durable-context.ts'
import type {
  Cancellation,
  ChildEnd,
  HistoryEntry,
  NewEntry,
  News,
  RecordAnswer,
  StoredSignal,
} from '../../../src/job/activity/history.ts'
import { silentLogger } from '../../../src/logger.ts'
import { ManualEnv } from '../../../src/testing/manual-env.ts'

const EXECUTION_ID = '01920000-0000-7000-8000-000000000001'
const START_AT = Date.UTC(2026, 0, 1)

/** What stands around the record of something: a process may die before it is written, or before it hears that it was. */
export type Point = 'before' | 'after'

/** All that outlives a process: what is recorded of one run, what was sent to it, and its clock. */
export class Shelf {
  readonly env: ManualEnv
  readonly entries = new Map<number, HistoryEntry>()
  readonly children = new Map<string, ChildRequest>()
  readonly cancelledChildren: string[] = []
  signals: StoredSignal[] = []
  ends: ChildEnd[] = []
  cancellation: Cancellation | null = null
  /** How often something was written. */
  writes = 0
  /** How often a run was told that it is too early. */
  earlies = 0
  epoch = 0
  /** The clock of the store, as against that of the process. */
  skewMs = 0
  /** Called at each point; a process that it kills is told nothing more. */
  onPoint: (point: Point) => void = () => {}
  #pending = 0
  #begun = 0

  constructor() {
    this.env = new ManualEnv({
      startAt: START_AT,
      seed: 1,
      isBusy: () => this.#pending > 0,
      countBegun: () => this.#begun,
    })
  }

  get history(): HistoryEntry[] {
    return [...this.entries.values()].toSorted((a, b) => a.sequence - b.sequence)
  }

  /** Those that were settled, in that order. */
  get settled(): HistoryEntry[] {
    return this.history
      .filter(({ position, kind }) => position !== null && kind !== 'patch' && kind !== 'input')
      .toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0))
  }

  get news(): News {
    return { signals: [...this.signals], children: [...this.ends], cancellation: this.cancellation }
  }

  send(name: string, payload: string | null = null): void {
    this.signals.push({ id: this.signals.length + this.writes * 1_000 + 1, name, payload, sentAt: this.env.now() })
  }

  /** A call to the store: it takes a turn, and meets the process alive or not at all. */
  async ask<Answer>(process: { readonly isDead: boolean }, answer: () => Answer): Promise<Answer> {
    this.#pending += 1
    this.#begun += 1
    await new Promise((resolve) => setImmediate(resolve))
    this.#pending -= 1
    if (process.isDead) return await new Promise<never>(() => {})
    return answer()
  }

  write(epoch: number, entries: readonly NewEntry[], discards: readonly number[] = []): RecordAnswer {
    if (epoch !== this.epoch) return 'refused'
    const now = this.env.now() + this.skewMs
    if (entries.some(({ isTimer, dueAt }) => isTimer && dueAt !== null && dueAt > now)) {
      this.earlies += 1
      return 'early'
    }
    const places = entries.map(({ sequence }) => sequence)
    if (new Set(places).size !== places.length) throw new Error(`Written twice at once: ${places.join(', ')}`)
    this.writes += 1
    for (const { isTimer: _, signalId, takesChild, ...entry } of entries) {
      const known = this.entries.get(entry.sequence)
      if (known?.position != null && entry.kind !== 'input') {
        throw new Error(`Call ${entry.sequence} was settled, and is written again as ${entry.status}`)
      }
      this.entries.set(entry.sequence, entry)
      this.signals = this.signals.filter(({ id }) => id !== signalId)
      this.ends = this.ends.filter(({ executionId }) => executionId !== takesChild)
    }
    this.signals = this.signals.filter(({ id }) => !discards.includes(id))
    return 'recorded'
  }
}

export type Code = (context: DurableContext, run: Run) => unknown

export interface ProcessOptions {
  readonly timeoutMs?: number | undefined
}

/** One process that has taken up the run: it may die, and is fenced once another has taken it. */
export class Process implements RunHost {
  readonly shelf: Shelf
  readonly run: Run
  /** It knows the time exactly. */
  readonly marginMs = 0
  readonly logger = silentLogger
  readonly log = silentLogger
  readonly told: { event: StepEvent; facts: StepFacts }[] = []
  readonly #epoch: number
  isDead = false
  stopped: RunStop | null = null
  /** null: it is not idle. */
  idle: { readonly dueAt: number | null } | null = null
  restless = 0
  /** What is asked of the store and did not come to it. */
  cannot: Error | null = null

  constructor(shelf: Shelf, code: Code, { timeoutMs }: ProcessOptions = {}) {
    this.shelf = shelf
    shelf.epoch += 1
    this.#epoch = shelf.epoch
    const facts = {
      executionId: EXECUTION_ID,
      jobType: 'program',
      jobId: null,
      tenant: 'default',
      attempt: 1,
      scheduledAt: null,
      misfire: null,
      idempotencyKey: EXECUTION_ID,
    }
    const timing = { startedAt: shelf.env.now(), timeoutMs: timeoutMs ?? null }
    const options = { executionId: EXECUTION_ID, host: this, entries: shelf.history, ...timing }
    this.run = new Run(options, (run) => code(durableContext(run, facts, silentLogger), run))
  }

  begin(): void {
    const isLoaded = this.#epoch > 1
    this.run.begin()
    if (isLoaded) this.run.hear(this.shelf.news)
  }

  /** As a process ends that is killed: nothing is told to anybody. */
  kill(): void {
    this.isDead = true
    this.stopped = null
  }

  now = () => this.shelf.env.now()
  random = () => this.shelf.env.random()
  uuid = () => this.shelf.env.uuid(this.now())

  after(delayMs: number, call: () => void): () => void {
    return this.shelf.env.after(delayMs, () => {
      if (!this.isDead) call()
    })
  }

  nextTurn(call: () => void): void {
    setImmediate(() => {
      if (!this.isDead) call()
    })
  }

  inActivity<Result>(_facts: StepFacts, perform: () => Result): Result {
    return perform()
  }

  tell(event: StepEvent, facts: StepFacts): void {
    this.told.push({ event, facts })
  }

  record(entries: readonly NewEntry[], discards?: readonly number[]): Promise<RecordAnswer> {
    return this.#write(() => this.shelf.write(this.#epoch, entries, discards))
  }

  async transact(work: (transaction: DurableTransaction) => Promise<readonly NewEntry[]>): Promise<boolean> {
    if (this.#epoch !== this.shelf.epoch) return false
    const entries = await work({ query: () => Promise.resolve([]) })
    return (await this.#write(() => this.shelf.write(this.#epoch, entries))) === 'recorded'
  }

  async startChild(entries: readonly NewEntry[], child: ChildRequest): Promise<boolean> {
    const answer = await this.#write(() => {
      const written = this.shelf.write(this.#epoch, entries)
      if (written === 'recorded') this.shelf.children.set(child.id, child)
      return written
    })
    return answer === 'recorded'
  }

  async cancelChild(id: string): Promise<boolean> {
    return await this.shelf.ask(this, () => {
      this.shelf.cancelledChildren.push(id)
      return true
    })
  }

  makeSure(): null {
    return null
  }

  async askForNews(): Promise<void> {
    await this.shelf.ask(this, () => this.run.hear(this.shelf.news))
  }

  onIdle(dueAt: number | null): void {
    this.idle = { dueAt }
  }

  onRestless(): void {
    this.restless += 1
  }

  onStop(stop: RunStop): void {
    if (!this.isDead) this.stopped = stop
  }

  async #write(write: () => RecordAnswer): Promise<RecordAnswer> {
    return await this.shelf.ask(this, () => {
      if (this.cannot) throw this.cannot
      this.shelf.onPoint('before')
      const answer = this.isDead ? null : write()
      if (answer !== null) this.shelf.onPoint('after')
      return this.isDead || answer === null ? new Promise<never>(() => {}) : answer
    })
  }
}
