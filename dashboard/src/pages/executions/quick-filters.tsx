import type { ExecutionStatus } from '../../api/wire.ts'
import { executionStatusName } from '../../language/names.ts'
import { QuickFilterButtons } from '../../parts/search/quick-filter-buttons.tsx'
import { executionListTexts } from './texts.ts'

const KEYS = ['status']

interface QuickFiltersProps {
  readonly query: string
  readonly onChange: (query: string) => void
}

/** The statuses that are looked for most often. */
export function QuickFilters(search: QuickFiltersProps) {
  const texts = executionListTexts.value
  const groups: readonly (readonly [string, readonly ExecutionStatus[]])[] = [
    [texts.all, []],
    [texts.underWay, ['RUNNING', 'WAITING']],
    [texts.queued, ['QUEUED']],
    [texts.failed, ['FAILED', 'TIMEOUT']],
    [executionStatusName('DIVERGED'), ['DIVERGED']],
    [executionStatusName('SUCCESS'), ['SUCCESS']],
    [executionStatusName('CANCELLED'), ['CANCELLED']],
  ]
  return (
    <QuickFilterButtons
      {...search}
      label={texts.quick}
      keys={KEYS}
      groups={groups.map(([name, statuses]) => ({
        name,
        filters: statuses.map((status) => ({ key: 'status', value: status.toLowerCase() })),
      }))}
    />
  )
}
