import type { RecordAnswer } from '../../job/activity/history.ts'
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
import type { Store } from '../../store/store.ts'
import type { Settlement } from '../running/settlement.ts'
import { inRounds } from './record-rounds.ts'

export interface RunWritesOptions {
  readonly store: Store
  readonly settlement: Settlement
}

/** A history may be long. */
const MAX_LOADS = 100

/**
 * What runs tell the store, and ask of it: those of all runs of this process share a round trip. While the store is away what is to be written waits.
 */
export class RunWrites {
  readonly #options: RunWritesOptions
  /** One statement at a time: a second beside it would be sent for the first run that comes back, and make the others wait. It keeps the writes of a run in order. */
  readonly #records: Batcher<RecordItem, RecordAnswer>
  readonly #children: Batcher<NewChild, boolean>
  readonly #loads: Batcher<Held, LoadedRun | null>
  readonly #news: Batcher<Held, RunNews | null>
  readonly #parks: Batcher<ParkItem, ParkAnswer>
  readonly #divergences: Batcher<DivergeItem, boolean>
  readonly #continuations: Batcher<ContinueItem, boolean>
  readonly #wakes: Batcher<string, null>

  constructor(options: RunWritesOptions) {
    this.#options = options
    const { histories } = options.store
    this.#records = this.#batcher((items) => recordAll(histories, items))
    this.#children = this.#batcher((items) => histories.startChildren(items))
    this.#loads = this.#batcher(async (held) => inOrder(held, await histories.load(held)), MAX_LOADS)
    this.#news = this.#batcher(async (held) => inOrder(held, await histories.news(held)))
    this.#parks = this.#batcher((items) => histories.park(items))
    this.#divergences = this.#batcher(async (items) => accepted(items, await histories.diverge(items)))
    this.#continuations = this.#batcher(async (items) => accepted(items, await histories.continueAs(items)))
    this.#wakes = this.#batcher(async (ids) => {
      await histories.wake([...new Set(ids)])
      return ids.map(() => null)
    })
  }

  record(item: RecordItem): Promise<RecordAnswer> {
    return this.#records.add(item)
  }

  /** False where the run is not held any more. */
  startChild(child: NewChild): Promise<boolean> {
    return this.#children.add(child)
  }

  /** null where the run is not held any more. */
  load({ executionId, epoch }: Held): Promise<LoadedRun | null> {
    return this.#loads.add({ executionId, epoch })
  }

  /** null where the run is not held any more. */
  news({ executionId, epoch }: Held): Promise<RunNews | null> {
    return this.#news.add({ executionId, epoch })
  }

  park(item: ParkItem): Promise<ParkAnswer> {
    return this.#parks.add(item)
  }

  diverge(item: DivergeItem): Promise<boolean> {
    return this.#divergences.add(item)
  }

  continueAs(item: ContinueItem): Promise<boolean> {
    return this.#continuations.add(item)
  }

  async wake(executionId: string): Promise<void> {
    await this.#wakes.add(executionId)
  }

  /** What cannot be stored is a matter of one of them only. */
  #batcher<Item, Answer>(
    write: (items: readonly Item[]) => Promise<readonly Answer[]>,
    maxItems?: number,
  ): Batcher<Item, Answer> {
    const flush = (items: readonly Item[]) => this.#options.settlement.persist(() => write(items))
    return new Batcher({ flush, sendsAlone: true, maxItems })
  }
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
