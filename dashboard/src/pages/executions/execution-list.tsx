import './executions.css'
import { useSignal } from '@preact/signals'
import { Problem } from '../../api/problem.ts'
import { useAnswer, usePages } from '../../api/questions.ts'
import type { ExecutionStatus, ExecutionView, JobTypeView } from '../../api/wire.ts'
import { frameTexts } from '../../frame/texts.ts'
import { useUrlState } from '../../frame/url-state.ts'
import { executionStatusName } from '../../language/names.ts'
import { Empty, ProblemBox, Skeleton } from '../../parts/answer.tsx'
import { Button } from '../../parts/button.tsx'
import { More } from '../../parts/more.tsx'
import { Page } from '../../parts/page.tsx'
import { QuickFilterButtons } from '../../parts/search/quick-filter-buttons.tsx'
import { SearchBar } from '../../parts/search/search-bar.tsx'
import { may } from '../../session/session.ts'
import { ExecutionTable } from './execution-table.tsx'
import { Period } from './period.tsx'
import { executionSearchKeys } from './search-keys.ts'
import { executionListTexts } from './texts.ts'

const KEYS = ['status']

interface QuickFiltersProps {
  readonly query: string
  readonly onChange: (query: string) => void
}

/** The statuses that are looked for most often. */
function QuickFilters(search: QuickFiltersProps) {
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

const PAGE = 50
const EXAMPLE = 'status:failed,timeout job:closing after:2d "connection refused"'

/** What has run, runs and waits: found by what was typed, the newest first. */
export function ExecutionList() {
  const texts = executionListTexts.value
  const [url, setUrl] = useUrlState()
  const q = url.get('q') ?? ''
  const isArchived = url.get('archived') === 'true'
  const wantsTypes = useSignal(false)
  const pages = usePages<ExecutionView>(
    'jobs/executions',
    { q, limit: PAGE, archived: isArchived || null },
    { keepsLast: true },
  )
  const types = useAnswer<{ readonly items: readonly JobTypeView[] }>('jobs/types', {
    isAsked: wantsTypes.value && may('jobs:read'),
    isLive: false,
  })
  const executions = pages.items
  const names = new Set(executions.map(({ jobName }) => jobName).filter((name) => name !== null))
  const refused = searchProblem(pages.error)
  const search = (query: string) => setUrl({ q: query })
  const title = frameTexts.value.pages.executions
  return (
    <Page title={title}>
      <div class="stack">
        <SearchBar
          label={texts.search}
          value={q}
          onSearch={search}
          keys={executionSearchKeys({
            types: types.data?.items.map(({ id }) => id) ?? [],
            jobs: [...names].toSorted(),
          })}
          example={EXAMPLE}
          problem={refused}
          onEnter={() => (wantsTypes.value = true)}
        />
        <QuickFilters query={q} onChange={search} />
        <Period
          query={q}
          onChange={search}
          isArchived={isArchived}
          onArchived={(value) => setUrl({ archived: value ? 'true' : null })}
        />
        {pages.error && refused === undefined && (
          <ProblemBox error={pages.error} onRetry={() => void pages.refetch()} />
        )}
        {pages.isPending && <Skeleton lines={8} />}
        <p class="visually-hidden" role="status">
          {pages.isSuccess && !pages.isPlaceholderData && texts.shown(executions.length, pages.hasNextPage)}
        </p>
        {executions.length > 0 && (
          <div class={`section execution-list ${pages.isPlaceholderData ? 'is-old' : ''}`}>
            <ExecutionTable label={title} executions={executions} />
          </div>
        )}
        {pages.isSuccess && executions.length === 0 && (
          <Empty icon={q === '' ? 'executions' : 'search'} title={q === '' ? texts.none : texts.noMatch}>
            {q !== '' && <Button onClick={() => search('')}>{texts.clear}</Button>}
          </Empty>
        )}
        <More pages={pages} />
      </div>
    </Page>
  )
}

/** What the server says about the search itself. */
function searchProblem(error: Error | null): string | undefined {
  if (!(error instanceof Problem)) return undefined
  return error.fields.find(({ pointer }) => pointer === '/q')?.message
}
