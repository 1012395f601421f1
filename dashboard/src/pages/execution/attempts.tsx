import type { ExecutionDetailView } from '../../api/wire.ts'
import { plainText } from '../../parts/plain-text.ts'
import { ExecutionBadge } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { Elapsed, Time } from '../../parts/time.tsx'
import { isEnded } from './ended.ts'
import { NodeName } from './node-name.tsx'
import { executionTexts } from './texts.ts'

/** Every try, and when the next one is. */
export function Attempts({ execution }: { readonly execution: ExecutionDetailView }) {
  const texts = executionTexts.value
  const { attempts, nextRetryAt, status } = execution
  if (attempts.length === 0) {
    return <p class="muted">{status === 'QUEUED' ? texts.attempt.notBegun : texts.attempt.none}</p>
  }
  return (
    <>
      <Table
        label={texts.attempts}
        rows={attempts}
        rowKey={({ attempt }) => attempt}
        columns={[
          { key: 'attempt', title: texts.attempt.number, width: 'narrow', cell: ({ attempt }) => attempt },
          {
            key: 'status',
            title: texts.attempt.status,
            width: 'narrow',
            cell: (row) => <ExecutionBadge status={row.status} />,
          },
          { key: 'node', title: texts.node, cell: ({ nodeId }) => <NodeName id={nodeId} /> },
          { key: 'startedAt', title: texts.attempt.startedAt, cell: ({ startedAt }) => <Time at={startedAt} /> },
          { key: 'endedAt', title: texts.attempt.endedAt, cell: ({ endedAt }) => <Time at={endedAt} /> },
          {
            key: 'duration',
            title: texts.duration,
            isNumber: true,
            cell: ({ startedAt, endedAt }) => <Elapsed from={startedAt} to={endedAt} />,
          },
          {
            key: 'error',
            title: texts.attempt.error,
            cell: ({ errorMessage }) =>
              errorMessage !== null && <span class="attempt-error">{plainText(errorMessage)}</span>,
          },
        ]}
      />
      {nextRetryAt !== null && !isEnded(status) && (
        <p>
          {texts.attempt.next(attempts.length + 1)} <Time at={nextRetryAt} as="both" />
        </p>
      )}
    </>
  )
}
