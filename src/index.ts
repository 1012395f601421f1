/** `pontual`: jobs, when they are due, and what becomes of those that were missed. */

export {
  ActivityFailedError,
  type ActivityTimeout,
  ActivityTimeoutError,
  CancelledError,
  ChildFailedError,
  CompensationFailedError,
  ForgottenAwaitError,
  MisplacedCallError,
  RunTimeoutError,
  UnstorableValueError,
} from './durable/errors.ts'
export type { OverrideOptions } from './engine/app/cron-overrides.ts'
export type { EnqueueArguments, EnqueueOptions } from './engine/app/enqueue-options.ts'
export type { EnqueueChainOptions, Enqueued, EnqueuedStep } from './engine/app/enqueuer.ts'
export type { CancelOptions, ExecutionQuery, ExecutionView, WaitOptions } from './engine/app/executions.ts'
export { UnknownExecutionError } from './engine/app/executions.ts'
export type { Health, HealthStatus } from './engine/app/health.ts'
export type { JobKey, JobName, PauseOptions, ScheduleJobOptions } from './engine/app/jobs.ts'
export type { LogOptions } from './engine/app/log-stream.ts'
export type { PontualOptions } from './engine/app/options.ts'
export type { EngineOptions, NodeOptions } from './engine/app/settings.ts'
export type { TenantOptions } from './engine/app/tenants.ts'
export type { RestartOptions, SendOptions } from './engine/durable/durable-executions.ts'
export type { HistoryEntryView } from './engine/durable/history-view.ts'
export { UnknownJobError } from './engine/lifecycle/change-job.ts'
export { currentExecution } from './engine/running/current-execution.ts'
export type { PunctualityReport } from './engine/running/punctuality.ts'
export type { ClearCacheOptions } from './engine/running/result-cache.ts'
export { IsolateCrashedError } from './engine/sandbox/channel.ts'
export type { ActivityFacts, EngineEvent, EngineEvents, ExecutionFacts } from './engine/telemetry/events.ts'
export {
  type Activity,
  type ActivityContext,
  type ActivityOptions,
  type ActivityRetryOptions,
  type ActivityRules,
  type ActivityTimeouts,
  type AnyActivity,
  activity,
  type CallOptions,
  type CompensationContext,
} from './job/activity/activity.ts'
export type { CalledAs, Divergence, EntryKind } from './job/activity/divergence.ts'
export type {
  Child,
  ChildJob,
  ChildOptions,
  DurableContext,
  DurableTimer,
  DurableTransaction,
  SignalOptions,
} from './job/activity/durable-context.ts'
export type { EntryStatus } from './job/activity/history.ts'
export type { SignalName, SignalPayload, SignalSchemas } from './job/activity/signals.ts'
export { Chain, type ChainStep, chain, type FailedStep, type StepOptions } from './job/execution/chain.ts'
export type {
  ActivityCall,
  AttemptRecord,
  AttemptStatus,
  ChainCondition,
  Execution,
  ExecutionBody,
  ExecutionOptions,
  ExecutionOrigin,
  ExecutionStatus,
  Failure,
  FinalStatus,
  Predecessor,
  PredecessorResult,
} from './job/execution/execution.ts'
export { NonRetryableError, TimeoutError } from './job/execution/failure.ts'
export type { DeclaredFollower, FollowerOption } from './job/execution/follower.ts'
export type { After } from './job/execution/predecessor.ts'
export { type UnreadableCode, UnreadableError } from './job/execution/unreadable.ts'
export type { Approval, FaultRule, Job, JobDefinition, JobDetails, JobOrigin, JobSchedule } from './job/job.ts'
export { JobConflictError, type JobStatus } from './job/job-status.ts'
export type { OverlapRule } from './job/rules/overlap.ts'
export type { Priority } from './job/rules/priority.ts'
export type { RateLimit, RateLimitOptions } from './job/rules/rate-limit.ts'
export type { RetryJitter, RetryOptions, RetryRules } from './job/rules/retry.ts'
export type { DeclaredSchedule, RequiredInput, ScheduleOptions } from './job/schedule-options.ts'
export { type BatchContext, type BatchJobOptions, type BatchJobType, batchJob } from './job/type/batch.ts'
export type { CacheOptions } from './job/type/cache.ts'
export type {
  HandlerSource,
  InlineIsolateOptions,
  IsolateKind,
  Isolation,
  ModuleIsolateOptions,
} from './job/type/isolation.ts'
export {
  type AnyJobType,
  type DurableJobTypeOptions,
  type JobContext,
  type JobType,
  type JobTypeOptions,
  job,
  type ModuleJobTypeOptions,
} from './job/type/job-type.ts'
export { InvalidPayloadError, type StandardSchema, unchecked } from './job/type/standard-schema.ts'
export type { LogFields, Logger, LogLevel } from './logger.ts'
export { Pontual, pontual, type StillRunning } from './pontual.ts'
export { type EncryptionOptions, encrypted } from './store/encryption/encrypted.ts'
export type { KeyRingOptions, RingKeyOptions } from './store/encryption/key-ring.ts'
export {
  type CancelResult,
  type ChainLink,
  type ChainMember,
  type ChainRecord,
  type TransactionClient,
  UnknownPredecessorError,
} from './store/executions.ts'
export { IdempotencyError } from './store/idempotency.ts'
export type { JobFilter } from './store/jobs.ts'
export type { LogLine } from './store/logs.ts'
export { memory } from './store/memory/memory.ts'
export type { NodeRecord } from './store/nodes.ts'
export type { OccurrenceRecord } from './store/occurrences.ts'
export type { StoreSource } from './store/store.ts'
export type { TenantConcurrency, TenantFilter, TenantRecord } from './store/tenants.ts'
export { StoreUnavailableError } from './store/unavailable.ts'
export * from './time.ts'
