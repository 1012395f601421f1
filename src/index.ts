/** `pontual`: jobs, when they are due, and what becomes of those that were missed. */

export type { OverrideOptions } from './engine/cron-overrides.ts'
export { currentExecution } from './engine/current-execution.ts'
export { type Enqueued, type EnqueueOptions, IdempotencyError } from './engine/enqueuer.ts'
export type { EngineEvent, EngineEvents, ExecutionFacts } from './engine/events.ts'
export type { ExecutionView } from './engine/execution-view.ts'
export { type ExecutionQuery, UnknownExecutionError, type WaitOptions } from './engine/executions.ts'
export type { Health, HealthStatus } from './engine/health.ts'
export { UnknownJobError } from './engine/job-changes.ts'
export type { JobKey, ScheduleJobOptions } from './engine/jobs.ts'
export type { LogOptions } from './engine/log-stream.ts'
export type { PontualOptions } from './engine/options.ts'
export type { PunctualityReport } from './engine/punctuality.ts'
export type { EngineOptions, NodeOptions } from './engine/settings.ts'
export type {
  AttemptRecord,
  AttemptStatus,
  Execution,
  ExecutionBody,
  ExecutionOptions,
  ExecutionOrigin,
  ExecutionStatus,
  Failure,
  FinalStatus,
} from './job/execution.ts'
export { NonRetryableError, TimeoutError } from './job/failure.ts'
export type { FaultRule, Job, JobDefinition, JobOrigin, JobSchedule } from './job/job.ts'
export { JobConflictError, type JobStatus } from './job/job-status.ts'
export {
  type AnyJobType,
  type DeclaredSchedule,
  type JobContext,
  type JobType,
  type JobTypeOptions,
  job,
  type ScheduleOptions,
} from './job/job-type.ts'
export type { Priority } from './job/priority.ts'
export type { RetryJitter, RetryOptions, RetryRules } from './job/retry.ts'
export { InvalidPayloadError, type StandardSchema } from './job/standard-schema.ts'
export type { LogFields, Logger, LogLevel } from './logger.ts'
export { type JobName, Pontual, pontual } from './pontual.ts'
export type { CancelResult, TransactionClient } from './store/executions.ts'
export type { JobFilter } from './store/jobs.ts'
export type { LogLine } from './store/logs.ts'
export { memory } from './store/memory/memory.ts'
export type { NodeRecord } from './store/nodes.ts'
export type { OccurrenceRecord } from './store/occurrences.ts'
export type { StoreSource } from './store/store.ts'
export { StoreUnavailableError } from './store/unavailable.ts'
export * from './time.ts'
