import type { ChildRequest } from '../../durable/host.ts'
import { activityTypeId } from '../../job/activity/activity-type.ts'
import type { ExecutionBody } from '../../job/execution/execution.ts'
import type { NewExecution } from '../../store/executions.ts'
import { templateOf } from '../app/enqueuer.ts'
import type { TraceContext } from '../telemetry/tracing.ts'
import type { DurableDeps } from './run-writes.ts'

/** How much longer than its own timeout an attempt of an activity may take to say that it is over. */
const TIMEOUT_SLACK_MS = 5_000

/** The execution that a run asks for: of its own tenant, and known to stand behind it. Throws where its input does not fit. */
export async function childExecution(
  around: DurableDeps,
  parent: ExecutionBody,
  request: ChildRequest,
  trace: TraceContext,
): Promise<NewExecution> {
  return 'job' in request ? await jobOf(around, parent, request, trace) : activityOf(around, parent, request, trace)
}

type JobRequest = Extract<ChildRequest, { readonly job: unknown }>
type ActivityRequest = Extract<ChildRequest, { readonly activity: unknown }>

async function jobOf(
  around: DurableDeps,
  parent: ExecutionBody,
  { id, job, payload, options }: JobRequest,
  trace: TraceContext,
): Promise<NewExecution> {
  const template = templateOf({ ...around, defaultTenant: parent.tenant }, job, options, trace)
  await template.check(payload)
  const { body, ...when } = template.build(payload)
  return { ...when, body: { ...body, id, options: { ...body.options, parent: parent.id } } }
}

function activityOf(
  { time }: DurableDeps,
  parent: ExecutionBody,
  { id, activity, rules, payload, sequence, idempotencyKey }: ActivityRequest,
  trace: TraceContext,
): NewExecution {
  const { attemptMs, heartbeatMs, retry, queue } = rules
  const body: ExecutionBody = {
    id,
    tenant: parent.tenant,
    jobId: null,
    jobType: activityTypeId(activity.id),
    queue,
    priority: parent.priority,
    origin: 'enqueue',
    payload,
    scheduledAt: null,
    maxAttempts: retry.retries + 1,
    idempotencyKey: null,
    options: {
      retry,
      ...(attemptMs === null ? {} : { timeoutMs: attemptMs + TIMEOUT_SLACK_MS }),
      parent: parent.id,
      activity: { sequence, idempotencyKey, attemptMs, heartbeatMs },
      ...trace,
    },
    createdAt: time.now(),
  }
  return { body, runAt: null }
}
