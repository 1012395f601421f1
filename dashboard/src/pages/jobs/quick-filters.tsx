import { useAnswer } from '../../api/questions.ts'
import type { DashboardView, JobStatus } from '../../api/wire.ts'
import { jobStatusName } from '../../language/names.ts'
import { type QuickFilter, QuickFilterButtons } from '../../parts/search/quick-filter-buttons.tsx'
import { may } from '../../session/session.ts'
import { listTexts } from './texts.ts'

/** What a quick filter has the say about. */
const KEYS = ['status', 'after', 'before']

/** An active job that is sensitive is an approved one. */
const GROUPS: readonly (readonly [JobStatus, ...JobStatus[]])[] = [
  ['ACTIVE', 'APPROVED'],
  ['PAUSED'],
  ['FAULTED'],
  ['PENDING_APPROVAL'],
  ['DISABLED'],
]

interface QuickFiltersProps {
  readonly query: string
  readonly onChange: (query: string) => void
}

/** What is looked for most often, with how many there are. */
export function QuickFilters(search: QuickFiltersProps) {
  const { data } = useAnswer<DashboardView>('jobs/dashboard', { isAsked: may('jobs:viewDashboard') })
  return <QuickFilterButtons {...search} label={listTexts.value.quick} keys={KEYS} groups={quickFilters(data?.jobs)} />
}

function quickFilters(counts: DashboardView['jobs'] | undefined): readonly QuickFilter[] {
  const texts = listTexts.value
  const countOf = (statuses: readonly JobStatus[]) =>
    counts === undefined ? null : statuses.reduce((sum, status) => sum + (counts[status] ?? 0), 0)
  const all = GROUPS.flat()
  return [
    { name: texts.all, filters: [], count: countOf(all) },
    ...GROUPS.map((statuses) => ({
      name: jobStatusName(statuses[0]),
      filters: statuses.map((status) => ({ key: 'status', value: status.toLowerCase() })),
      count: countOf(statuses),
    })),
    {
      name: texts.failedRecently,
      filters: [
        { key: 'status', value: 'failed' },
        { key: 'status', value: 'timeout' },
        { key: 'after', value: '1d' },
      ],
    },
  ]
}
