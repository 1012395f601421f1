import type { NewEntry } from '../../../src/job/history.ts'
import type { RecordItem } from '../../../src/store/histories.ts'
import type { Commit } from '../commits.ts'
import type { Effect } from '../ledger.ts'
import { type Evidence, type Invariant, require } from './invariant.ts'

/** A node knows the store's time to within this: instants are rounded, and its own clock drifts between two looks. A timer is never over before its own instant, to the millisecond. */
const UNCERTAIN_MS = 3

/**
 * I13: a step that is on record is never performed again. I15: nobody wakes early. I16: a signal is heard once, and in the order in which it was sent.
 */
export class Durable implements Invariant {
  readonly #recorded = new Set<string>()
  readonly #heard = new Map<string, unknown>()

  afterCommit({ question, answer, at }: Commit, evidence: Evidence): void {
    if (question.verb !== 'histories.record') return
    for (const [index, { executionId, entries }] of (question.values[0] as readonly RecordItem[]).entries()) {
      if ((answer as unknown[])[index] === 'early') evidence.sometimes('a timer is early, and refused')
      if ((answer as unknown[])[index] !== 'recorded') continue
      for (const entry of entries) {
        if (entry.isTimer) this.#requireDue(executionId, entry, at)
        if (entry.kind === 'activity' && entry.status === 'COMPLETED') {
          this.#recorded.add(`${executionId} ${entry.name}`)
          evidence.sometimes('a step is recorded')
        }
      }
    }
  }

  onEffect({ executionId, kind, step, value }: Effect, evidence: Evidence): void {
    if (kind === 'performed' && step !== undefined) {
      require(!this.#recorded.has(`${executionId} ${step}`), 'I13', () =>
        `"${step}" of ${executionId} is performed again although it is on record`)
    }
    // A node that does not know yet that the clock was set reckons from what it showed before.
    if (kind === 'slept' && evidence.clock.jumps === 0)
      require((value as number) >= -UNCERTAIN_MS, 'I15', () => `${executionId} woke ${-(value as number)} ms early`)
    if (kind === 'heard') this.#hear(`${executionId} ${step}`, value, evidence)
  }

  atEnd({ promised, sometimes }: Evidence): void {
    for (const [id, sent] of promised.signalled) {
      const heard = [1, 2].flatMap((count) => {
        const key = `${id} signal ${count}`
        return this.#heard.has(key) ? [this.#heard.get(key) as number] : []
      })
      if (heard.length > 0) sometimes('a signal is heard')
      require(new Set(heard).size === heard.length, 'I16', () => `${id} heard a signal twice: ${heard.join(', ')}`)
      for (const [index, later] of heard.entries()) {
        const overtaken = sent.find(
          (each) =>
            heard.indexOf(each.number) > index &&
            each.acknowledgedAt < (sent.find(({ number }) => number === later)?.begunAt ?? 0),
        )
        require(overtaken === undefined, 'I16', () =>
          `${id} heard ${later} before ${overtaken?.number}, sent before it`)
      }
    }
  }

  #requireDue(executionId: string, { dueAt, sequence }: NewEntry, at: number): void {
    const earlyMs = (dueAt ?? at) - at
    require(earlyMs <= 0, 'I15', () => `timer ${sequence} of ${executionId} is over ${earlyMs} ms early`)
  }

  /** Replayed it is the same. */
  #hear(key: string, value: unknown, { sometimes }: Evidence): void {
    if (!this.#heard.has(key)) return void this.#heard.set(key, value)
    sometimes('a signal is replayed')
    // An end that was not recorded is not binding.
    this.#heard.set(key, value)
  }
}
