import type { HistoryEntry } from '../job/activity/history.ts'
import { decodeValue } from './codec.ts'
import { errorOf } from './errors.ts'
import type { Replay } from './replay.ts'

/** An activity that can be undone, and how it ended as far as that is known. */
interface Undoable {
  readonly sequence: number
  readonly undo: (output: unknown) => PromiseLike<unknown>
  ended: HistoryEntry | null
}

/** Code that was handed in to run on cancellation, at its place among the calls. */
interface Handed {
  readonly sequence: number
  readonly cleanUp: () => unknown
}

export interface CleanUpOptions {
  /** What the code has not followed yet when it ends. */
  readonly replay: Replay | null
  readonly isCancelled: boolean
  readonly isOver: () => boolean
}

/** What is to be done when a run fails or is cancelled, the latest first. */
export class CleanUps {
  readonly #undoables = new Map<number, Undoable>()
  readonly #handed: Handed[] = []

  /** An activity was called that can be undone. */
  add(sequence: number, undo: Undoable['undo']): void {
    this.#undoables.set(sequence, { sequence, undo, ended: null })
  }

  onCancel(sequence: number, cleanUp: () => unknown): void {
    this.#handed.push({ sequence, cleanUp })
  }

  notice(entry: HistoryEntry): void {
    if (this.#undoables.size === 0) return
    const undoable = this.#undoables.get(entry.sequence)
    if (undoable) undoable.ended = entry
  }

  /** Does all of it, also where something fails. Returns what did. */
  async perform({ replay, isCancelled, isOver }: CleanUpOptions): Promise<string[]> {
    const failures: string[] = []
    for (const cleanUp of this.#inReverse(replay, isCancelled)) {
      if (isOver()) break
      try {
        await cleanUp()
      } catch (error) {
        failures.push(errorOf(error).message)
      }
    }
    return failures
  }

  #inReverse(replay: Replay | null, isCancelled: boolean): (() => unknown)[] {
    const undos = [...this.#undoables.values()].flatMap(({ sequence, undo, ended }) => {
      // What the code has not followed counts as it is recorded.
      const entry = ended ?? replay?.entryOf(sequence)
      if (entry?.status === 'FAILED' && !hasRunOutOfTime(entry)) return []
      const perform = () => undo(entry?.status === 'COMPLETED' ? decodeValue(entry.output) : undefined) as unknown
      return [{ sequence, perform }]
    })
    const handed = isCancelled
      ? this.#handed.toReversed().map(({ sequence, cleanUp }) => ({ sequence, perform: cleanUp }))
      : []
    // What was handed in after a call goes before that call is undone.
    return [...handed, ...undos].toSorted((a, b) => b.sequence - a.sequence).map(({ perform }) => perform)
  }
}

/** What ran out of time may have done its work all the same. */
function hasRunOutOfTime({ error }: HistoryEntry): boolean {
  const thrown = decodeValue(error)
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'activity.timeout'
}
