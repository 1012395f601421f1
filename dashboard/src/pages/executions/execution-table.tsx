import { Link } from 'wouter-preact'
import type { ExecutionView } from '../../api/wire.ts'
import { dateTime, duration, percent, timeOfDay } from '../../language/format.ts'
import { executionStatusName, originName } from '../../language/names.ts'
import { plainLine } from '../../parts/plain-text.ts'
import { ExecutionBadge } from '../../parts/status.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Elapsed, Time } from '../../parts/time.tsx'
import { executionListTexts } from './texts.ts'

/** Executions, one a row; the status leads to its page, the name to its job. */
export function ExecutionTable({
  label,
  executions,
}: {
  readonly label: string
  readonly executions: readonly ExecutionView[]
}) {
  const texts = executionListTexts.value
  const columns: readonly Column<ExecutionView>[] = [
    { key: 'status', title: texts.status, width: 'narrow', cell: (row) => <StatusCell execution={row} /> },
    { key: 'job', title: texts.jobAndType, cell: (row) => <JobCell execution={row} /> },
    { key: 'origin', title: texts.origin, isMinor: true, cell: ({ origin }) => originName(origin) },
    { key: 'when', title: texts.when, cell: (row) => <WhenCell execution={row} /> },
    { key: 'duration', title: texts.duration, isNumber: true, cell: (row) => <DurationCell execution={row} /> },
    { key: 'attempts', title: texts.attempts, isNumber: true, isMinor: true, cell: attemptCount },
    { key: 'error', title: texts.error, width: 'wide', cell: (row) => <ErrorCell execution={row} /> },
  ]
  return (
    <Table
      label={label}
      columns={columns}
      rows={executions}
      rowKey={({ id }) => id}
      rowClass={({ status }) => (status === 'RUNNING' ? 'is-running' : '')}
    />
  )
}

type CellProps = { readonly execution: ExecutionView }

function StatusCell({ execution }: CellProps) {
  const { id, status, jobName, jobType, startedAt, createdAt } = execution
  // Among many links each says which it is.
  const label = `${executionStatusName(status)}: ${jobName ?? jobType}, ${dateTime(startedAt ?? createdAt)}`
  return (
    <Link href={`/executions/${id}`} class="execution-link" aria-label={label}>
      <ExecutionBadge status={status} />
    </Link>
  )
}

function JobCell({ execution: { jobId, jobName, jobType } }: CellProps) {
  return (
    <span class="execution-job">
      {jobId === null ? (
        <span class="muted">{executionListTexts.value.noJob}</span>
      ) : (
        <Link href={`/${jobId}`}>{plainLine(jobName ?? jobType)}</Link>
      )}
      {jobType !== jobName && <code class="muted small">{jobType}</code>}
    </span>
  )
}

/** When it was due and when it began; of what has not begun, when it was made. */
function WhenCell({ execution: { scheduledAt, startedAt, createdAt } }: CellProps) {
  const texts = executionListTexts.value
  if (scheduledAt === null) {
    return startedAt === null ? (
      <span class="muted">
        {texts.created} <Time at={createdAt} />
      </span>
    ) : (
      <Time at={startedAt} />
    )
  }
  return (
    <span class="execution-when">
      <Time at={scheduledAt} />
      {startedAt !== null && (
        <span class="muted small">
          {texts.started(
            timeOfDay(startedAt, { hasSeconds: true }),
            duration(Math.max(0, Date.parse(startedAt) - Date.parse(scheduledAt))),
          )}
        </span>
      )}
    </span>
  )
}

function DurationCell({ execution: { startedAt, completedAt, durationMs, status, progress } }: CellProps) {
  if (status !== 'RUNNING') return <>{duration(durationMs)}</>
  return (
    <span class="execution-running">
      <Elapsed from={startedAt} to={completedAt} />
      {progress !== null && (
        <>
          <progress value={progress} max={1} aria-label={percent(progress, 0)} />
          <span class="muted small">{percent(progress, 0)}</span>
        </>
      )}
    </span>
  )
}

/** As much as there is room for; the whole of it is on the page of the execution. */
function ErrorCell({ execution: { errorMessage } }: CellProps) {
  if (errorMessage === null) return null
  const text = plainLine(errorMessage)
  return (
    <span class="execution-cut" title={text}>
      {text}
    </span>
  )
}

function attemptCount({ attempts, retryCount }: ExecutionView): number | string {
  return attempts.length === 0 && retryCount === 0 ? '–' : Math.max(attempts.length, retryCount + 1)
}
