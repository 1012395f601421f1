import type { HistoryEntry } from '../job/activity/history.ts'
import type { RunHost } from './host.ts'

/** A step, as far as it is told of. */
interface Told {
  readonly sequence: number
  readonly name: string
}

/** What is said of the steps of a run. Whoever is told writes it to the log too. */
export class Telling {
  readonly #host: RunHost

  constructor(host: RunHost) {
    this.#host = host
  }

  replayed({ kind, sequence, name, attempt }: HistoryEntry): void {
    if (kind !== 'activity' && kind !== 'compensation' && kind !== 'transaction') return
    this.#tell('activity.replayed', { sequence, name }, attempt)
  }

  completed(step: Told, attempt: number): void {
    this.#tell('activity.completed', step, attempt)
  }

  failed({ sequence, name }: Told, attempt: number, error: Error): void {
    const host = this.#host
    if (!host.hears('activity.failed')) return
    host.tell('activity.failed', { sequence, activity: name, attempt, error: error.message })
  }

  retried({ sequence, name }: Told, attempt: number, error: Error, delayMs: number): void {
    const host = this.#host
    if (!host.hears('activity.retried')) return
    host.tell('activity.retried', { sequence, activity: name, attempt, error: error.message, delayMs })
  }

  #tell(event: 'activity.replayed' | 'activity.completed', { sequence, name }: Told, attempt: number): void {
    const host = this.#host
    if (host.hears(event)) host.tell(event, { sequence, activity: name, attempt })
  }
}
