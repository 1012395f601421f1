import type { RecordAnswer } from '../../job/activity/history.ts'
import type { AnyJobType } from '../../job/type/job-type.ts'
import { Batcher } from '../../store/batcher.ts'
import type {
  ContinueItem,
  DivergeItem,
  HistoryStore,
  LoadedRun,
  NewChild,
  ParkAnswer,
  ParkItem,
  RecordItem,
  RunNews,
} from '../../store/histories.ts'
import type { Held } from '../../store/leases.ts'
import type { EngineStore } from '../../store/store.ts'
import type { AttemptDeps } from '../running/attempt.ts'
import type { Settlement } from '../running/settlement.ts'

export interface RunWritesOptions {
  readonly store: EngineStore
  readonly settlement: Settlement
}

/** The dependencies that all durable runs of a node share. */
export interface DurableDeps extends AttemptDeps {
  readonly types: ReadonlyMap<string, AnyJobType>
  readonly writes: RunWrites
  /** No other node can hold a run so long after the store has confirmed that this node holds it. */
  readonly sureForMs: number
  /** Work is due at an instant; null: now. */
  readonly onMade: (dueAt: number | null) => void
  /** A running execution was ended, or has news. */
  readonly onChanged: () => void
}

/** A history may be long. */
const MAX_LOADS = 100

/**
 * The requests of all runs of this process to the store. Requests of one kind share a round trip, and wait while the store is unavailable. Each kind has one statement in
 * flight: a second one would be sent for the first run that returns and make the others wait. One statement at a time also keeps the writes of a run in order.
 */
export class RunWrites {
  readonly record: (item: RecordItem) => Promise<RecordAnswer>
  /** False if the run is no longer held; so in all requests below. */
  readonly startChild: (child: NewChild) => Promise<boolean>
  /** null if the run is no longer held. */
  readonly load: (held: Held) => Promise<LoadedRun | null>
  readonly news: (held: Held) => Promise<RunNews | null>
  readonly park: (item: ParkItem) => Promise<ParkAnswer>
  readonly diverge: (item: DivergeItem) => Promise<boolean>
  readonly continueAs: (item: ContinueItem) => Promise<boolean>
  readonly wake: (executionId: string) => Promise<unknown>

  constructor({ store: { histories }, settlement }: RunWritesOptions) {
    const batched = <Item, Answer>(
      write: (items: readonly Item[]) => Promise<readonly Answer[]>,
      maxItems?: number,
    ): ((item: Item) => Promise<Answer>) => {
      const flush = (items: readonly Item[]) => settlement.persist(() => write(items))
      const batcher = new Batcher<Item, Answer>({ flush, sendsAlone: true, maxItems })
      return (item) => batcher.add(item)
    }
    this.record = batched((items) => recordAll(histories, items))
    this.startChild = batched((items) => histories.startChildren(items))
    this.load = batched(async (items) => inOrder(items, await histories.load(items.map(heldOf))), MAX_LOADS)
    this.news = batched(async (items) => inOrder(items, await histories.news(items.map(heldOf))))
    this.park = batched((items) => histories.park(items))
    this.diverge = batched(async (items) => accepted(items, await histories.diverge(items)))
    this.continueAs = batched(async (items) => accepted(items, await histories.continueAs(items)))
    this.wake = batched(async (ids) => {
      await histories.wake([...new Set(ids)])
      return ids.map(() => null)
    })
  }
}

function heldOf({ executionId, epoch }: Held): Held {
  return { executionId, epoch }
}

async function recordAll(histories: HistoryStore, items: readonly RecordItem[]): Promise<RecordAnswer[]> {
  const answers: RecordAnswer[] = []
  for (const round of inRounds(items)) answers.push(...(await histories.record(round)))
  return answers
}

function inOrder<Answer extends Held>(held: readonly Held[], answers: readonly Answer[]): (Answer | null)[] {
  const known = new Map(answers.map((answer) => [answer.executionId, answer]))
  return held.map(({ executionId, epoch }) => {
    const answer = known.get(executionId)
    return answer?.epoch === epoch ? answer : null
  })
}

function accepted(items: readonly Held[], ids: readonly string[]): boolean[] {
  const known = new Set(ids)
  return items.map(({ executionId }) => known.has(executionId))
}

/**
 * Several items of one run may tell of the same call, such as that an attempt has begun and that it has ended. The last word counts, and the others are left out: one
 * statement writes each entry once. One that is refused as early takes nobody's place, so that it goes with the next round.
 */
export function inRounds(items: readonly RecordItem[]): readonly (readonly RecordItem[])[] {
  if (items.length === 1) return [items]
  const rounds: RecordItem[][] = []
  let round = new Round()
  for (const item of items) {
    if (!round.takes(item)) {
      rounds.push(round.items)
      round = new Round()
    }
    round.add(item)
  }
  rounds.push(round.items)
  return rounds
}

class Round {
  readonly items: RecordItem[] = []
  /** The places of a run's items, as it is held: what is left of an earlier hold is refused, and must not take the place of what is not. */
  readonly #places = new Map<string, number[]>()

  takes(item: RecordItem): boolean {
    const places = this.#places.get(keyOf(item))
    if (!places || !item.entries.some(({ isTimer }) => isTimer)) return true
    const told = sequencesOf(item)
    return !places.some((place) => this.items[place]?.entries.some(({ sequence }) => told.has(sequence)))
  }

  add(item: RecordItem): void {
    const key = keyOf(item)
    const places = this.#places.get(key)
    if (places) {
      const told = sequencesOf(item)
      for (const place of places) this.#leaveOut(place, told)
      places.push(this.items.length)
    } else this.#places.set(key, [this.items.length])
    this.items.push(item)
  }

  #leaveOut(place: number, told: ReadonlySet<number>): void {
    const earlier = this.items[place]
    if (!earlier?.entries.some(({ sequence }) => told.has(sequence))) return
    this.items[place] = { ...earlier, entries: earlier.entries.filter(({ sequence }) => !told.has(sequence)) }
  }
}

function keyOf({ executionId, epoch }: RecordItem): string {
  return `${executionId} ${epoch}`
}

function sequencesOf({ entries }: RecordItem): ReadonlySet<number> {
  return new Set(entries.map(({ sequence }) => sequence))
}

/** The ways in which a run writes to the store. */
export type WriteKind = 'record' | 'child' | 'transaction'

interface Waiting {
  readonly kind: WriteKind
  readonly go: () => void
}

/**
 * Keeps the writes of one run in order that go to the store by different ways: what a record says of a call must not be overtaken by what a transaction said of it before.
 * Within one way they are in order already, but for transactions, each of which has a connection of its own.
 */
export class WriteOrder {
  #kind: WriteKind = 'record'
  #underWay = 0
  readonly #waiting: Waiting[] = []

  write<Answer>(kind: WriteKind, send: () => Promise<Answer>): Promise<Answer> {
    if (this.#waiting.length === 0 && this.#mayGo(kind)) return this.#send(kind, send)
    return new Promise((resolve) => {
      this.#waiting.push({ kind, go: () => resolve(this.#send(kind, send)) })
    })
  }

  #mayGo(kind: WriteKind): boolean {
    return this.#underWay === 0 || (kind === this.#kind && kind !== 'transaction')
  }

  #send<Answer>(kind: WriteKind, send: () => Promise<Answer>): Promise<Answer> {
    this.#kind = kind
    this.#underWay += 1
    const sent = send()
    sent.then(this.#end, this.#end)
    return sent
  }

  readonly #end = (): void => {
    this.#underWay -= 1
    for (let [next] = this.#waiting; next && this.#mayGo(next.kind); [next] = this.#waiting) {
      this.#waiting.shift()
      next.go()
    }
  }
}
