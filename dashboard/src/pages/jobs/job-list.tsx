import './jobs.css'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Problem } from '../../api/problem.ts'
import { useAnswer, usePages } from '../../api/questions.ts'
import type { JobListItem, JobTypeView } from '../../api/wire.ts'
import { useUrlState } from '../../frame/url-state.ts'
import { jobTexts } from '../../language/job-texts.ts'
import { Empty, ProblemBox, Skeleton } from '../../parts/answer.tsx'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { JOB_VERBS, VERB_PERMISSIONS } from '../../parts/job-verbs.ts'
import { More } from '../../parts/more.tsx'
import { Page } from '../../parts/page.tsx'
import { replaceFilters } from '../../parts/search/filters.ts'
import { SearchBar } from '../../parts/search/search-bar.tsx'
import { may } from '../../session/session.ts'
import { BulkBar } from './bulk-bar.tsx'
import { JobTable } from './job-table.tsx'
import { QuickFilters } from './quick-filters.tsx'
import { jobSearchKeys } from './search-keys.ts'
import { NOTHING } from './selection.ts'
import { listTexts } from './texts.ts'

const SORT = 'name'
const PAGE = 50
const EXAMPLE = 'status:failed,timeout tag:billing after:2d closing'

/** All jobs, or those that are looked for: found, sorted and steered. */
export function JobList() {
  const [url, setUrl] = useUrlState()
  const q = url.get('q') ?? ''
  const sort = url.get('sort') ?? SORT
  const selection = useSignal(NOTHING)
  const wantsTypes = useSignal(false)
  const recent = may('jobs:viewHistory') ? 'recent' : null
  const pages = usePages<JobListItem>('jobs', { q, sort, limit: PAGE, with: recent }, { keepsLast: true })
  const types = useAnswer<{ readonly items: readonly JobTypeView[] }>('jobs/types', { isAsked: wantsTypes.value })
  useEffect(() => {
    selection.value = NOTHING
  }, [q, selection])

  const jobs = pages.items
  const tags = [...new Set(jobs.flatMap((job) => job.tags))].toSorted()
  const refused = searchProblem(pages.error)
  const search = (query: string) => setUrl({ q: query })
  const texts = listTexts.value
  return (
    <Page
      title={jobTexts.value.list.title}
      actions={
        may('jobs:create') && (
          <ButtonLink href="/new" tone="primary" icon="plus">
            {jobTexts.value.actions.create}
          </ButtonLink>
        )
      }
    >
      <div class="stack">
        <SearchBar
          label={texts.search}
          value={q}
          onSearch={search}
          keys={jobSearchKeys(tags, types.data?.items.map(({ id }) => id) ?? [])}
          example={EXAMPLE}
          problem={refused}
          onEnter={() => (wantsTypes.value = true)}
        />
        <QuickFilters query={q} onChange={search} />
        {jobs.some(({ isSuspended }) => isSuspended) && <Suspended />}
        {pages.error && refused === undefined && (
          <ProblemBox error={pages.error} onRetry={() => void pages.refetch()} />
        )}
        {pages.isPending && <Skeleton lines={8} />}
        <p class="visually-hidden" role="status">
          {pages.isSuccess && !pages.isPlaceholderData && texts.shown(jobs.length, pages.hasNextPage)}
        </p>
        {jobs.length > 0 && (
          <div class={`section job-list ${pages.isPlaceholderData ? 'is-old' : ''}`}>
            <JobTable
              label={jobTexts.value.list.title}
              jobs={jobs}
              sort={sort}
              onSort={(by) => setUrl({ sort: by === SORT ? null : by })}
              onTag={(tag) => search(replaceFilters(q, ['tag'], [{ key: 'tag', value: tag }]))}
              selection={JOB_VERBS.some((verb) => may(VERB_PERMISSIONS[verb])) ? selection.value : null}
              onSelect={(chosen) => (selection.value = chosen)}
            />
          </div>
        )}
        {pages.isSuccess && jobs.length === 0 && <NoJobs q={q} onClear={() => search('')} />}
        <More pages={pages} />
        <BulkBar selection={selection} q={q} hasMore={pages.hasNextPage} shown={jobs.map(({ id }) => id)} />
      </div>
    </Page>
  )
}

/** What the server says about the search itself. */
function searchProblem(error: Error | null): string | undefined {
  if (!(error instanceof Problem)) return undefined
  return error.fields.find(({ pointer }) => pointer === '/q')?.message
}

function Suspended() {
  return (
    <p class="suspended" role="status">
      <Icon name="warning" />
      <span>{listTexts.value.suspended}</span>
    </p>
  )
}

/** Nothing is there, or nothing is found: each with what to do next. */
function NoJobs({ q, onClear }: { readonly q: string; readonly onClear: () => void }) {
  if (q !== '') {
    return (
      <Empty icon="search" title={listTexts.value.noMatch}>
        <Button onClick={onClear}>{listTexts.value.clear}</Button>
      </Empty>
    )
  }
  return (
    <Empty icon="jobs" title={jobTexts.value.list.emptyState}>
      {may('jobs:create') && (
        <ButtonLink href="/new" tone="primary" icon="plus">
          {jobTexts.value.actions.create}
        </ButtonLink>
      )}
    </Empty>
  )
}
