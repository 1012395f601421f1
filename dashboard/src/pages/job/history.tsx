import { Link } from 'wouter-preact'
import { EXECUTION_STATUSES } from '../../../../src/job/execution/execution.ts'
import { usePages } from '../../api/questions.ts'
import type { ExecutionView, JobView } from '../../api/wire.ts'
import { frameTexts } from '../../frame/texts.ts'
import { useUrlState } from '../../frame/url-state.ts'
import { duration, number } from '../../language/format.ts'
import { jobTexts } from '../../language/job-texts.ts'
import { executionStatusName, originName } from '../../language/names.ts'
import { Empty, ProblemBox, Skeleton } from '../../parts/answer.tsx'
import { CheckField, SelectField } from '../../parts/field.tsx'
import { More } from '../../parts/more.tsx'
import { Section } from '../../parts/page.tsx'
import { plainLine } from '../../parts/plain-text.ts'
import { ExecutionBadge } from '../../parts/status.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Elapsed, Time } from '../../parts/time.tsx'
import { may } from '../../session/session.ts'
import { jobPageTexts } from './texts.ts'

const PAGE = 20

interface HistoryProps {
  readonly job: JobView
  /** The execution that whoever looks has come for. */
  readonly marked: string | null
}

/** The executions of the job, the newest first. */
export function History({ job, marked }: HistoryProps) {
  const texts = jobPageTexts.value.history
  const [state, setState] = useUrlState()
  const status = EXECUTION_STATUSES.find((each) => each === state.get('status')) ?? ''
  const isArchived = state.get('archived') === 'true'
  const pages = usePages<ExecutionView>(`jobs/${job.id}/history`, {
    limit: PAGE,
    status,
    archived: isArchived ? true : null,
  })
  return (
    <Section title={frameTexts.value.pages.executions} isWide>
      <div class="row history-filters">
        <SelectField
          label={texts.status}
          value={status}
          options={[
            { value: '', name: texts.all },
            ...EXECUTION_STATUSES.map((each) => ({ value: each, name: executionStatusName(each) })),
          ]}
          onChange={(chosen) => setState({ status: chosen })}
        />
        <CheckField
          label={texts.archived}
          hint={texts.archivedHint}
          isChecked={isArchived}
          onChange={(isOn) => setState({ archived: isOn ? 'true' : null })}
        />
      </div>
      {pages.error && pages.items.length === 0 ? (
        <ProblemBox error={pages.error} onRetry={() => void pages.refetch()} />
      ) : pages.isPending ? (
        <Skeleton lines={6} />
      ) : pages.items.length === 0 ? (
        <Empty icon="executions" title={texts.none} />
      ) : (
        <Rows executions={pages.items} marked={marked} />
      )}
      <More pages={pages} />
    </Section>
  )
}

function Rows({
  executions,
  marked,
}: {
  readonly executions: readonly ExecutionView[]
  readonly marked: string | null
}) {
  const texts = jobPageTexts.value.history
  const columns: readonly Column<ExecutionView>[] = [
    {
      key: 'status',
      title: texts.status,
      width: 'narrow',
      cell: ({ id, status }) => (
        <Link href={`/executions/${id}`}>
          <ExecutionBadge status={status} />
        </Link>
      ),
    },
    {
      key: 'when',
      title: texts.when,
      cell: ({ scheduledAt, startedAt, createdAt }) => <Time at={startedAt ?? scheduledAt ?? createdAt} />,
    },
    {
      key: 'duration',
      title: texts.duration,
      isNumber: true,
      cell: ({ status, startedAt, durationMs }) =>
        status === 'RUNNING' ? <Elapsed from={startedAt} to={null} /> : duration(durationMs),
    },
    { key: 'attempts', title: texts.attempts, isNumber: true, cell: ({ attempts }) => number(attempts.length) },
    { key: 'origin', title: texts.origin, isMinor: true, cell: ({ origin }) => originName(origin) },
    ...(may('jobs:viewLogs') ? [logColumn()] : []),
    {
      key: 'error',
      title: texts.error,
      width: 'wide',
      cell: ({ errorMessage }) =>
        errorMessage === null ? (
          <span class="muted">–</span>
        ) : (
          <span class="clamped" title={plainLine(errorMessage)}>
            {plainLine(errorMessage)}
          </span>
        ),
    },
  ]
  return (
    <Table
      label={frameTexts.value.pages.executions}
      columns={columns}
      rows={executions}
      rowKey={({ id }) => id}
      rowClass={({ id }) => (id === marked ? 'marked' : '')}
    />
  )
}

/** Straight to what an execution said. */
function logColumn(): Column<ExecutionView> {
  const { viewLogs } = jobTexts.value.actions
  return {
    key: 'log',
    title: <span class="visually-hidden">{viewLogs}</span>,
    width: 'narrow',
    cell: ({ id }) => <Link href={`/executions/${id}#log`}>{viewLogs}</Link>,
  }
}
