import type { Pontual } from '../../../../src/pontual.ts'
import type { Service } from '../../../../src/service/service.ts'
import type { Chance } from '../../../harness/chance.ts'
import type { Configuration } from '../swarm.ts'
import type { VirtualTime } from '../virtual-time.ts'

/** A signal, and from when to when it was being sent: of two that overlap nobody knows which came first. */
interface SentSignal {
  readonly number: number
  readonly begunAt: number
  readonly acknowledgedAt: number
}

/** Somebody's wish that a job be scheduled, and from when to when he asked for it; null: he still does. */
export interface Wish {
  readonly begunAt: number
  endedAt: number | null
}

/** What people and programs were promised, and what they asked for. */
export interface Promised {
  /** Executions that were acknowledged, by idempotency key. */
  readonly enqueued: Map<string, string>
  /** Executions whose cancellation was acknowledged, and when. */
  readonly cancelled: Map<string, number>
  /** Signals that were acknowledged, by execution. */
  readonly signalled: Map<string, SentSignal[]>
  /** By the name of a job. */
  readonly wished: Map<string, Wish[]>
  /** Whether somebody is to be told of failures by mail. */
  hasReaders: boolean
  readonly errors: unknown[]
}

/** What whoever asks has at hand. */
export interface Asking {
  readonly app: Pontual
  readonly service: Service
  readonly time: VirtualTime
  readonly chance: Chance
  readonly configuration: Configuration
  readonly promised: Promised
  /** What was sent under a key, by its name. */
  readonly inputs: Map<string, unknown>
  /** Asks again for as long as nobody knows whether it was done. */
  readonly persist: <Answer>(ask: () => Promise<Answer>) => Promise<Answer>
  /** A number that nobody else has. */
  readonly nextNumber: () => number
}

/** Asks for a job, and notes from when to when. */
export async function wish<Answer>(
  { promised, time }: Asking,
  name: string,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const made: Wish = { begunAt: time.now, endedAt: null }
  promised.wished.set(name, [...(promised.wished.get(name) ?? []), made])
  try {
    return await ask()
  } finally {
    made.endedAt = time.now
  }
}

/** Something that somebody may ask for. */
export type Act = (asking: Asking) => Promise<unknown>

export const TENANT = 'acme'
export const OTHER_TENANT = 'globex'
