import type { HistoryEntry, NewEntry } from '../job/activity/history.ts'
import type { EntryDraft } from './call.ts'
import { Replay } from './replay.ts'

/** A completion on its way to the code: first recorded, then delivered. */
export interface Completion {
  readonly entry: NewEntry
  readonly notes: readonly NewEntry[]
  /** The notes and the completion, recorded together. */
  readonly entries: readonly NewEntry[]
  isRecorded: boolean
}

const NOTHING: readonly NewEntry[] = []

/**
 * The history of one run, as far as memory holds it: the entries that a replay still has to follow, the completions between their record and their delivery,
 * and the notes. A note states progress that no code waits for (an attempt started, failed or sent a heartbeat), so it waits for the next record of the run. The journal
 * has no effects: the run asks it what to record and what to deliver.
 */
export class Journal {
  /** In the order of their positions. */
  readonly #completions: Completion[] = []
  /** By sequence. A later note on a call replaces the earlier one, so most are never built. */
  readonly #notes = new Map<number, () => NewEntry>()
  readonly #patches: Map<string, boolean>
  #replay: Replay | null
  #position: number
  /** Below the sequences of all recorded entries. */
  #patchSequence: number

  constructor(entries: readonly HistoryEntry[]) {
    this.#replay = entries.length > 0 ? new Replay(entries) : null
    this.#position = entries.reduce((last, { position }) => Math.max(last, position ?? 0), 0)
    this.#patchSequence = entries.reduce((lowest, { sequence }) => Math.min(lowest, sequence), -1)
    this.#patches = new Map(entries.filter(({ kind }) => kind === 'patch').map(({ name }) => [name, true]))
  }

  /** The recorded entries that the code has not followed yet; null after the replay. */
  get replay(): Replay | null {
    return this.#replay
  }

  endReplay(): void {
    this.#replay = null
  }

  /** The completion that is delivered next. */
  get next(): Completion | undefined {
    return this.#completions[0]
  }

  get hasNotes(): boolean {
    return this.#notes.size > 0
  }

  /** Gives a completion the next position. */
  place(entry: EntryDraft): Completion {
    this.#position += 1
    entry.position = this.#position
    const notes = this.takeNotes(entry.sequence)
    const entries = notes.length > 0 ? [...notes, entry] : [entry]
    const completion: Completion = { entry, notes, entries, isRecorded: false }
    this.#completions.push(completion)
    return completion
  }

  /** Leaves the position empty. Its notes wait for another record, unless a newer note or completion of their call exists. */
  withdraw(completion: Completion, isPending: (sequence: number) => boolean): void {
    this.#completions.splice(this.#completions.indexOf(completion), 1)
    for (const note of completion.notes) {
      const { sequence } = note
      const isOutdated =
        this.#notes.has(sequence) ||
        (sequence >= 0 && (!isPending(sequence) || this.#completions.some(({ entry }) => entry.sequence === sequence)))
      if (!isOutdated) this.#notes.set(sequence, () => note)
    }
  }

  /** Removes the next completion if it is recorded. */
  takeRecorded(): NewEntry | undefined {
    return this.next?.isRecorded ? this.#completions.shift()?.entry : undefined
  }

  note(sequence: number, build: () => NewEntry): void {
    this.#notes.set(sequence, build)
  }

  /** Takes the notes for the next record; a note on the call that this record completes is dropped. */
  takeNotes(completed?: number): readonly NewEntry[] {
    if (completed !== undefined) this.#notes.delete(completed)
    if (this.#notes.size === 0) return NOTHING
    const notes = [...this.#notes.values()].map((build) => build())
    this.#notes.clear()
    return notes
  }

  /** Decides whether the run takes the changed path: it does if that is recorded, or if no later call is. The first decision is noted. */
  isPatched(id: string, calls: number, at: number): boolean {
    const known = this.#patches.get(id)
    if (known !== undefined) return known
    const isTaken = calls >= (this.#replay?.lastSequence ?? 0)
    this.#patches.set(id, isTaken)
    if (isTaken) {
      this.#patchSequence -= 1
      const place = { sequence: this.#patchSequence, position: 0, calls, startedAt: at, endedAt: at }
      this.note(this.#patchSequence, () => ({ ...BARE, ...place, kind: 'patch', name: id }))
    }
    return isTaken
  }
}

/** The fields of an entry that most entries leave empty. */
export const BARE: Omit<NewEntry, 'kind' | 'name'> = Object.freeze({
  sequence: -1,
  status: 'COMPLETED',
  position: null,
  calls: 0,
  attempt: 0,
  input: null,
  output: null,
  error: null,
  details: null,
  childId: null,
  startedAt: 0,
  dueAt: null,
  endedAt: null,
})
