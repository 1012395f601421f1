import type { JobListItem } from '../../api/wire.ts'
import { priorityName } from '../../language/names.ts'
import { RunStrip } from '../../parts/run-strip.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { may } from '../../session/session.ts'
import { bulkTexts } from './bulk-texts.ts'
import { NameCell, NextCell, ScheduleCell, StatusCell } from './job-cells.tsx'
import { JobMenu } from './job-menu.tsx'
import { isSelected, type Selection, shownState, toggled, toggledAll } from './selection.ts'
import { listTexts } from './texts.ts'

interface JobTableProps {
  readonly label: string
  readonly jobs: readonly JobListItem[]
  readonly sort: string
  readonly onSort: (sort: string) => void
  readonly onTag: (tag: string) => void
  /** null: nobody here could do anything to many at once. */
  readonly selection: Selection | null
  readonly onSelect: (selection: Selection) => void
}

export function JobTable({ label, jobs, sort, onSort, onTag, selection, onSelect }: JobTableProps) {
  const ids = jobs.map(({ id }) => id)
  const columns = [
    ...(selection === null ? [] : [selectColumn(ids, selection, onSelect)]),
    ...factColumns(onTag),
    actionColumn(),
  ]
  return (
    <Table
      label={label}
      columns={columns}
      rows={jobs}
      rowKey={({ id }) => id}
      rowClass={({ id }) => (selection !== null && isSelected(selection, id) ? 'selected' : '')}
      sort={sort}
      onSort={onSort}
    />
  )
}

function selectColumn(
  ids: readonly string[],
  selection: Selection,
  onSelect: (selection: Selection) => void,
): Column<JobListItem> {
  const texts = bulkTexts.value
  const state = shownState(selection, ids)
  return {
    key: 'select',
    label: texts.select,
    title: (
      <input
        type="checkbox"
        aria-label={texts.selectShown}
        checked={state === 'all'}
        indeterminate={state === 'some'}
        onChange={() => onSelect(toggledAll(selection, ids))}
      />
    ),
    width: 'narrow',
    cell: (job) => (
      <input
        type="checkbox"
        aria-label={texts.selectOne(job.name)}
        checked={isSelected(selection, job.id)}
        onChange={() => onSelect(toggled(selection, job.id, ids))}
      />
    ),
  }
}

function factColumns(onTag: (tag: string) => void): readonly Column<JobListItem>[] {
  const { columns: titles } = listTexts.value
  return [
    {
      key: 'name',
      title: titles.name,
      sort: 'name',
      width: 'wide',
      cell: (job) => <NameCell job={job} onTag={onTag} />,
    },
    { key: 'status', title: titles.status, sort: 'status', cell: (job) => <StatusCell job={job} /> },
    {
      key: 'type',
      title: titles.type,
      sort: 'jobType',
      isMinor: true,
      cell: ({ jobType }) => <span class="job-type">{jobType}</span>,
    },
    {
      key: 'priority',
      title: titles.priority,
      sort: 'priority',
      isMinor: true,
      cell: (job) => priorityName(job.priority),
    },
    { key: 'schedule', title: titles.schedule, cell: (job) => <ScheduleCell job={job} /> },
    ...(may('jobs:viewHistory')
      ? [
          {
            key: 'runs',
            title: titles.runs,
            width: 'narrow' as const,
            cell: ({ recentExecutions = [] }: JobListItem) => <RunStrip runs={recentExecutions} />,
          },
        ]
      : []),
    { key: 'next', title: titles.next, sort: 'nextExecution', cell: (job) => <NextCell job={job} /> },
  ]
}

function actionColumn(): Column<JobListItem> {
  return {
    key: 'actions',
    title: <span class="visually-hidden">{listTexts.value.columns.actions}</span>,
    label: listTexts.value.columns.actions,
    width: 'narrow',
    cell: (job) => <JobMenu job={job} />,
  }
}
