import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'
import { useAnswer } from '../../api/questions.ts'
import type { ExecutionDetailView, ExecutionView, JobView, Page } from '../../api/wire.ts'
import { duration } from '../../language/format.ts'
import { originName, priorityName } from '../../language/names.ts'
import { viewerZone } from '../../language/zone.ts'
import { Facts } from '../../parts/page.tsx'
import { Badge } from '../../parts/status.tsx'
import { Elapsed, Time } from '../../parts/time.tsx'
import { isEnded } from './ended.ts'
import { NodeName } from './node-name.tsx'
import { executionTexts } from './texts.ts'

interface SummaryProps {
  readonly execution: ExecutionDetailView
  readonly job: JobView | undefined
}

/** Who, what, when and for how long. */
export function Summary({ execution, job }: SummaryProps) {
  const texts = executionTexts.value
  const { scheduledAt, attempts, jobId, retryOf } = execution
  const retriedBy = useRetriedBy(execution)
  const begunAt = attempts[0]?.startedAt ?? execution.startedAt
  const last = attempts.at(-1)
  const facts: (readonly [string, ComponentChildren])[] = [
    ...(jobId === null ? [[texts.job, texts.noJob] as const] : []),
    [texts.type, <TypeOf key="type" execution={execution} />],
    [texts.origin, originName(execution.origin)],
    [texts.by, execution.executedBy ?? texts.byNobody],
    [texts.scheduledAt, <ScheduledAt key="scheduled" at={scheduledAt} zone={job?.timeZone} />],
    [texts.createdAt, <Time key="created" at={execution.createdAt} />],
    [texts.startedAt, <Time key="started" at={execution.startedAt} />],
    [texts.completedAt, <Time key="completed" at={execution.completedAt} />],
    [texts.duration, <Took key="duration" execution={execution} />],
    [texts.waited, begunAt === null ? '–' : duration(waitedMs(execution, begunAt))],
    [texts.priority, priorityName(execution.priority)],
    [texts.node, last?.nodeId ? <NodeName key="node" id={last.nodeId} /> : '–'],
    ...(retryOf === null ? [] : [[texts.retryOf, <Other key="of" id={retryOf} />] as const]),
    ...(retriedBy === undefined ? [] : [[texts.retriedBy, <Other key="by" id={retriedBy} />] as const]),
    [
      texts.id,
      <code key="id" class="execution-id">
        {execution.id}
      </code>,
    ],
  ]
  return (
    <div class="execution-summary">
      <Facts facts={facts} />
    </div>
  )
}

function TypeOf({ execution: { jobType, isTypeUnknown } }: { readonly execution: ExecutionDetailView }) {
  return (
    <>
      <code>{jobType}</code> {isTypeUnknown && <Badge tone="bad">{executionTexts.value.typeUnknown}</Badge>}
    </>
  )
}

function Other({ id }: { readonly id: string }) {
  return (
    <Link href={`/executions/${id}`}>
      {executionTexts.value.another} <code>{id.slice(-6)}</code>
    </Link>
  )
}

/** Between two attempts no time is spent on it; what waits in its middle is under way. */
function Took({ execution: { status, startedAt, completedAt } }: { readonly execution: ExecutionView }) {
  const isCounted = completedAt !== null || status === 'RUNNING' || status === 'WAITING'
  return <Elapsed from={isCounted ? startedAt : null} to={completedAt} />
}

/** In the zone of whoever looks, and in that of the job where it is another. */
function ScheduledAt({ at, zone }: { readonly at: string | null; readonly zone: string | undefined }) {
  if (at === null || zone === undefined || zone === viewerZone.value) return <Time at={at} />
  return (
    <>
      <Time at={at} /> <span class="muted small">({<Time at={at} zone={zone} />})</span>
    </>
  )
}

/** From when it might have begun until it did. */
function waitedMs({ createdAt, scheduledAt }: ExecutionView, startedAt: string): number {
  const from = Math.max(Date.parse(createdAt), scheduledAt === null ? 0 : Date.parse(scheduledAt))
  return Math.max(0, Date.parse(startedAt) - from)
}

/** The newest execution that repeats this one, among the last of its job. */
function useRetriedBy({ id, jobId, status }: ExecutionView): string | undefined {
  const { data } = useAnswer<Page<ExecutionView>>(`jobs/${jobId ?? ''}/history?limit=100`, {
    isAsked: jobId !== null && isEnded(status),
  })
  return data?.items.find(({ retryOf }) => retryOf === id)?.id
}
