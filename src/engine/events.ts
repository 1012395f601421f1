import type { FinalStatus } from '../job/execution.ts'
import type { Divergence } from '../job/history.ts'
import type { MisfireCause, MisfirePolicy } from '../time/misfire/policy.ts'

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

/** What happens in the engine. Each has its name, as it stands in logs, on the wire and in diagnostics channels. */
export interface EngineEvents {
  'execution.queued': {
    readonly executionId: string
    readonly jobType: string
    readonly jobId: string | null
    readonly tenant: string
  }
  'execution.claimed': ExecutionFacts & { readonly nodeId: string; readonly latenessMs: number | null }
  'execution.succeeded': ExecutionFacts & { readonly durationMs: number }
  'execution.failed': ExecutionFacts & {
    readonly durationMs: number
    readonly status: FinalStatus
    readonly error: string
  }
  'execution.retried': ExecutionFacts & {
    readonly durationMs: number
    readonly error: string
    readonly delayMs: number
  }
  'execution.cancelled': { readonly executionId: string }
  'execution.released': ExecutionFacts
  'execution.recovered': {
    readonly executionId: string
    readonly jobType: string
    readonly jobId: string | null
    readonly attempt: number
    readonly nodeId: string
    readonly hasEnded: boolean
  }
  'execution.refused': ExecutionFacts & { readonly epoch: number; readonly write: string }
  /** A durable execution waits, without a slot: until an instant, or until something comes for it. */
  'execution.parked': ExecutionFacts & { readonly dueAt: number | null }
  /** Its code does not fit its history, or it makes no progress: what is recorded and what was called. */
  'execution.diverged': ExecutionFacts & { readonly divergence: Divergence }
  'activity.completed': ActivityFacts
  'activity.failed': ActivityFacts & { readonly error?: string | undefined }
  'activity.retried': ActivityFacts & { readonly error?: string | undefined; readonly delayMs?: number | undefined }
  /** What was recorded of it was given to the code, in place of performing it again. */
  'activity.replayed': ActivityFacts
  'job.fired': {
    readonly jobId: string
    readonly job: string
    readonly tenant: string
    readonly count: number
    readonly nextFireAt: string | null
  }
  'job.misfired': {
    readonly jobId: string
    readonly job: string
    readonly tenant: string
    readonly missed: number
    readonly policy: MisfirePolicy
    readonly cause: MisfireCause
    readonly nextFireAt: string | null
  }
  'job.faulted': {
    readonly jobId: string
    readonly job: string
    readonly tenant: string
    readonly executionId: string | null
    readonly error: string
  }
  'node.started': { readonly nodeId: string; readonly name: string; readonly slots: number }
  'node.lost': { readonly nodeId: string; readonly reason: string }
  'node.stopped': { readonly nodeId: string }
}

export type EngineEvent = keyof EngineEvents
