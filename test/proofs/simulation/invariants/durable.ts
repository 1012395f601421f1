import type { NewEntry } from '../../../../src/job/activity/history.ts'
import type { RecordItem } from '../../../../src/store/histories.ts'
import { type Commit, executionIdsIn } from '../commits.ts'
import type { Effect } from '../ledger.ts'
import { type Evidence, type Invariant, require } from './invariant.ts'

/**
 * I13: a step that is on record is never performed again, and nothing that is settled changes. I15: nobody wakes early. I16: a signal is heard once, and in the order in which it was sent.
 */
export class Durable implements Invariant {
  readonly #recorded = new Set<string>()
  readonly #heard = new Map<string, unknown>()
  /** When a run first went to sleep, in true time. */
  readonly #sleeping = new Map<string, number>()
  /** Until when its sleep lasts at least, by the clock of the store, as it was called by a machine. */
  readonly #sleepsUntil = new Map<string, number>()
  /** Runs of which it is on record until when they sleep. */
  readonly #isPlanned = new Set<string>()
  /** What is settled of each run, as text, by sequence. */
  readonly #settled = new Map<string, Map<number, string>>()

  afterCommit({ question, answer, at }: Commit, evidence: Evidence): void {
    if (!question.verb.startsWith('histories.')) return
    for (const id of executionIdsIn(question.values)) this.#requireSettled(id, evidence)
    if (question.verb !== 'histories.record') return
    for (const [index, { executionId, entries }] of (question.values[0] as readonly RecordItem[]).entries()) {
      if ((answer as unknown[])[index] === 'early') evidence.sometimes('a timer is early, and refused')
      if ((answer as unknown[])[index] !== 'recorded') continue
      for (const entry of entries) {
        if (entry.isTimer) this.#requireDue(executionId, entry, at)
        if (entry.kind === 'timer') this.#requireWhole(executionId, question.from.name, entry, evidence)
        if (entry.kind === 'activity' && entry.status === 'COMPLETED') {
          this.#recorded.add(`${executionId} ${entry.name}`)
          evidence.sometimes('a step is recorded')
        }
      }
    }
  }

  onEffect(effect: Effect, evidence: Evidence): void {
    const { executionId, kind, step, value, at } = effect
    if (kind === 'performed' && step !== undefined) {
      require(!this.#recorded.has(`${executionId} ${step}`), 'I13', () =>
        `"${step}" of ${executionId} is performed again although it is on record`)
    }
    if (kind === 'sleeps') {
      if (!this.#sleeping.has(executionId)) this.#sleeping.set(executionId, at)
      this.#sleepsUntil.set(`${executionId} ${effect.machine}`, evidence.clock.now + (value as number))
    }
    if (kind === 'slept') this.#requireSlept(executionId, at, value as number, evidence)
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

  /** When a sleep is over is reckoned once, and never too early; but a node that does not know yet that the clock was set ahead reckons from what it showed before. */
  #requireWhole(executionId: string, machine: string, { dueAt }: NewEntry, { clock }: Evidence): void {
    const least = this.#sleepsUntil.get(`${executionId} ${machine}`)
    if (dueAt === null || least === undefined || this.#isPlanned.has(executionId)) return
    this.#isPlanned.add(executionId)
    require(dueAt >= least || clock.wasSetAhead, 'I15', () =>
      `the sleep of ${executionId} is ${least - dueAt} ms short`)
  }

  /** By true time. */
  #requireSlept(executionId: string, at: number, forMs: number, { clock }: Evidence): void {
    const earlyMs = (this.#sleeping.get(executionId) ?? at) + forMs - at
    require(earlyMs <= 0 || clock.wasSetAhead, 'I15', () => `${executionId} woke ${earlyMs} ms early`)
  }

  /** What is settled is settled for good. */
  #requireSettled(executionId: string, { tables }: Evidence): void {
    const known = this.#settled.get(executionId) ?? new Map<number, string>()
    this.#settled.set(executionId, known)
    for (const { entry } of tables.runs.entries.get(executionId)?.values() ?? []) {
      const { sequence, status, name, position, output, error } = entry
      const before = known.get(sequence)
      if (status === 'RUNNING' && before === undefined) continue
      const told = JSON.stringify({ status, name, position, output, error })
      require(before === undefined || before === told, 'I13', () =>
        `call ${sequence} of ${executionId} was settled as ${before}, and is ${told} now`)
      known.set(sequence, told)
    }
    const gone = [...known.keys()].find((sequence) => !tables.runs.entries.get(executionId)?.has(sequence))
    require(gone === undefined, 'I13', () => `call ${gone} of ${executionId} was settled, and is gone`)
  }

  #requireDue(executionId: string, { dueAt, sequence }: NewEntry, at: number): void {
    const earlyMs = (dueAt ?? at) - at
    require(earlyMs <= 0, 'I15', () => `timer ${sequence} of ${executionId} is over ${earlyMs} ms early`)
  }

  /** What code is given is on record by then: replayed it is the same. */
  #hear(key: string, value: unknown, { sometimes }: Evidence): void {
    const before = this.#heard.get(key)
    if (before !== undefined) sometimes('a signal is replayed')
    require(before === undefined || before === value, 'I16', () =>
      `${key} was ${String(before)}, and is ${String(value)} in a replay`)
    this.#heard.set(key, value)
  }
}
