import { useSignal } from '@preact/signals'
import type { ExecutionDetailView } from '../../api/wire.ts'
import { frameTexts } from '../../frame/texts.ts'
import { duration } from '../../language/format.ts'
import { Button } from '../../parts/button.tsx'
import { Table } from '../../parts/table.tsx'
import { now, Time } from '../../parts/time.tsx'
import { type ActivityView, isTakenOver, lengthMs } from './activity.ts'
import { stepTexts } from './step-texts.ts'
import { kindName, sourceWords, stepName, stepStatusName } from './step-words.ts'

const AT_ONCE = 200

interface StepTableProps {
  readonly execution: ExecutionDetailView
  readonly entries: readonly ActivityView[]
  readonly onOpen: (entry: ActivityView) => void
}

/** The same facts as the diagram, to be read. */
export function StepTable({ execution, entries, onOpen }: StepTableProps) {
  const texts = stepTexts.value.waterfall
  const shown = useSignal(AT_ONCE)
  return (
    <>
      <Table
        label={texts.tableLabel}
        rows={entries.slice(0, shown.value)}
        rowKey={({ sequence }) => sequence}
        columns={[
          {
            key: 'step',
            title: texts.step,
            cell: (entry) => (
              <button type="button" class="link" onClick={() => onOpen(entry)}>
                {stepName(entry)}
              </button>
            ),
          },
          { key: 'kind', title: texts.kind, cell: kindName },
          { key: 'status', title: texts.status, cell: stepStatusName },
          { key: 'startedAt', title: texts.startedAt, cell: ({ startedAt }) => <Time at={startedAt} /> },
          { key: 'endedAt', title: texts.endedAt, isMinor: true, cell: ({ endedAt }) => <Time at={endedAt} /> },
          { key: 'dueAt', title: texts.dueAt, isMinor: true, cell: ({ dueAt }) => <Time at={dueAt} /> },
          {
            key: 'duration',
            title: texts.duration,
            isNumber: true,
            cell: (entry) => duration(lengthMs(entry, entry.endedAt === null ? now.value : 0)),
          },
          { key: 'attempts', title: texts.attempts, isNumber: true, cell: ({ attempt }) => Math.max(1, attempt) },
          {
            key: 'source',
            title: texts.source,
            cell: (entry) => sourceWords(entry, isTakenOver(entry, execution.createdAt)),
          },
        ]}
      />
      {entries.length > shown.value && (
        <div class="more">
          <Button onClick={() => (shown.value += AT_ONCE)}>{frameTexts.value.more}</Button>
        </div>
      )}
    </>
  )
}
