import type { Divergence } from '../../job/activity/divergence.ts'
import type { FinalStatus } from '../../job/execution/execution.ts'
import type { AlertKind, AlertScope } from '../../store/alerts.ts'
import type { MisfireCause, MisfirePolicy } from '../../time/misfire/policy.ts'

/** What an event about an execution tells. */
export type ExecutionFacts = {
  readonly executionId: string
  readonly jobType: string
  readonly jobId: string | null
  readonly tenant: string
  readonly attempt: number
}

/** What an event about a step of a durable execution tells. */
export type ActivityFacts = ExecutionFacts & {
  /** The place of the call. */
  readonly sequence: number
  readonly activity: string
}

/** What an event about an alert tells. */
export type AlertFacts = {
  readonly alertId: string
  readonly tenant: string
  readonly scope: AlertScope
  readonly kind: AlertKind
  /** Of a job that has failed. */
  readonly jobId: string | null
  readonly job: string | null
  readonly executionId: string | null
  readonly value: number | null
  readonly threshold: number | null
  readonly openedAt: string
  readonly closedAt: string | null
}

/** What happens in the engine. Each has its name, as it stands in logs, on the wire and in diagnostics channels. */
export interface EngineEvents {
  /** Somebody has asked for it, and it is stored. What a job fires by itself is told of as `job.fired`. */
  'execution.queued': {
    readonly executionId: string
    readonly jobType: string
    readonly jobId: string | null
    readonly tenant: string
  }
  /** A node has taken it, and an attempt begins; how late it is, where it was due at an instant. */
  'execution.claimed': ExecutionFacts & { readonly nodeId: string; readonly latenessMs: number | null }
  /** It has ended, and its result is stored. */
  'execution.succeeded': ExecutionFacts & { readonly durationMs: number }
  /** It has ended otherwise, and is not tried again. */
  'execution.failed': ExecutionFacts & {
    readonly durationMs: number
    readonly status: FinalStatus
    readonly error: string
  }
  /** An attempt has failed, and another one follows after the delay. */
  'execution.retried': ExecutionFacts & {
    readonly durationMs: number
    readonly error: string
    readonly delayMs: number
  }
  /** Somebody has ended it. */
  'execution.cancelled': { readonly executionId: string }
  /** The node has given it back, without an attempt being spent. */
  'execution.released': ExecutionFacts
  /** Its node is gone: it was taken from it, to be run again or, where no attempt is left, to have ended. */
  'execution.recovered': {
    readonly executionId: string
    readonly jobType: string
    readonly jobId: string | null
    readonly attempt: number
    readonly nodeId: string
    readonly hasEnded: boolean
    /** Whether the attempt does not count, because the node had announced its exit. */
    readonly isUnspent: boolean
  }
  /** The node had lost it: what it was about to write was not taken. */
  'execution.refused': ExecutionFacts & { readonly epoch: number; readonly write: string }
  /** A durable execution waits, without a slot: until an instant, or until something comes for it. */
  'execution.parked': ExecutionFacts & { readonly dueAt: number | null }
  /** Its code does not fit its history, or it makes no progress: what is recorded and what was called. */
  'execution.diverged': ExecutionFacts & { readonly divergence: Divergence }
  /** Its result is recorded. */
  'activity.completed': ActivityFacts
  /** It has failed for good. */
  'activity.failed': ActivityFacts & { readonly error?: string | undefined }
  /** An attempt of it has failed, and another one follows after the delay. */
  'activity.retried': ActivityFacts & { readonly error?: string | undefined; readonly delayMs?: number | undefined }
  /** What was recorded of it was given to the code, in place of performing it again. */
  'activity.replayed': ActivityFacts
  /** So many of its occurrences have become executions. */
  'job.fired': {
    readonly jobId: string
    readonly job: string
    readonly tenant: string
    readonly count: number
    readonly nextFireAt: string | null
  }
  /** It has missed occurrences, and its policy has decided about them. */
  'job.misfired': {
    readonly jobId: string
    readonly job: string
    readonly tenant: string
    readonly missed: number
    readonly policy: MisfirePolicy
    readonly cause: MisfireCause
    readonly nextFireAt: string | null
  }
  /** It has become FAULTED: it stops firing until it is resumed, or continues, as `onFaulted` says. */
  'job.faulted': {
    readonly jobId: string
    readonly job: string
    readonly tenant: string
    readonly executionId: string | null
    readonly error: string
  }
  /** Something is wrong that is watched. */
  'alert.opened': AlertFacts
  /** What was wrong is over. */
  'alert.closed': AlertFacts
  /** This process has begun to claim. */
  'node.started': {
    readonly nodeId: string
    readonly name: string
    readonly slots: number
    /** How many connections to the server this process opens at most; null if there is no server, or a pooler in front of it. */
    readonly connections: number | null
  }
  /** The lease of this node is over: its work is taken by others, and it begins anew under another id. */
  'node.lost': { readonly nodeId: string; readonly reason: string }
  /** This process claims no more. Handlers that still run have to end with it: their executions run again once its short lease is over. */
  'node.stopped': { readonly nodeId: string; readonly stillRunning: number }
}

/** The name of something that happens in the engine. */
export type EngineEvent = keyof EngineEvents
