import { quote } from '../errors.ts'
import type { ActivityWork } from './watched-jobs.ts'
import type { Write } from './writes.ts'

/** How often each activity was performed, and what must not have happened. */
export class Effects {
  readonly #counts = new Map<string, number>()
  readonly #settled = new Set<string>()
  readonly #faults: string[] = []

  /** By the activity's id; what undoes one stands as `compensation:` and its id. */
  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts)
  }

  /** What must never be: something was performed although its result was recorded, or the code did not follow what was. */
  get faults(): readonly string[] {
    return this.#faults
  }

  noteBegun({ kind, context }: ActivityWork): void {
    const { activityId, executionId, sequence } = context
    const name = kind === 'activity' ? activityId : `compensation:${activityId}`
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
    if (!this.#settled.has(keyOf(executionId, sequence))) return
    this.#faults.push(`${kind} ${quote(activityId)} (call ${sequence}) was performed again although it was recorded`)
  }

  noteStored({ entries, begunAnew, divergences }: Write): void {
    // Also where it is resumed later, and happens to fit then.
    for (const message of divergences) this.#faults.push(`it was DIVERGED: ${message.replace(/\.$/, '')}`)
    for (const { executionId, sequence, status } of entries) {
      if (status !== 'RUNNING') this.#settled.add(keyOf(executionId, sequence))
    }
    for (const id of begunAnew) {
      for (const key of this.#settled) if (key.startsWith(id)) this.#settled.delete(key)
    }
  }
}

function keyOf(executionId: string, sequence: number): string {
  return `${executionId} ${sequence}`
}
