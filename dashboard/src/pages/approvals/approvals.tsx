import './approvals.css'
import { useEffect, useRef } from 'preact/hooks'
import { usePages } from '../../api/questions.ts'
import type { JobView } from '../../api/wire.ts'
import { useUrlState } from '../../frame/url-state.ts'
import { Empty, ProblemBox, Skeleton } from '../../parts/answer.tsx'
import { ButtonLink } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { More } from '../../parts/more.tsx'
import { Page } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'
import { Request } from './request.tsx'
import { approvalTexts } from './texts.ts'

const NONE = 'none'

/** What waits for a second person's yes, the oldest first, one of them open. */
export function Approvals() {
  const [url, setUrl] = useUrlState()
  const texts = approvalTexts.value
  const pages = usePages<JobView>('jobs', { status: 'PENDING_APPROVAL', sort: 'updatedAt', limit: 50 })
  const jobs = pages.items
  const openId = url.get('job') ?? jobs[0]?.id ?? NONE
  const goOn = useNextRequest(jobs)
  const decided = (job: JobView) => {
    const at = jobs.indexOf(job)
    const next = (jobs[at + 1] ?? jobs[at - 1])?.id
    setUrl({ job: next })
    goOn(job.id, next)
  }
  return (
    <Page title={texts.title} lead={<p>{texts.lead}</p>}>
      <div class="stack">
        {pages.isPending && <Skeleton lines={6} />}
        {pages.error && <ProblemBox error={pages.error} onRetry={() => void pages.refetch()} />}
        {pages.isSuccess && (
          <p class="muted" role="status">
            {jobs.length > 0 && texts.waiting(jobs.length, pages.hasNextPage)}
          </p>
        )}
        {pages.isSuccess && jobs.length === 0 && (
          <Empty icon="approvals" title={texts.empty}>
            <ButtonLink href="/list">{texts.toJobs}</ButtonLink>
          </Empty>
        )}
        {jobs.length > 0 && (
          <ul class="stack" aria-label={texts.list}>
            {jobs.map((job) => (
              <li key={job.id} class="section approval">
                <RequestHead
                  job={job}
                  isOpen={job.id === openId}
                  onToggle={() => setUrl({ job: job.id === openId ? NONE : job.id })}
                />
                {job.id === openId && <Request job={job} onDone={() => decided(job)} />}
              </li>
            ))}
          </ul>
        )}
        <More pages={pages} />
      </div>
    </Page>
  )
}

/** Goes to the next request as soon as one that was decided has left the list; where there is none, to the top of the page. */
function useNextRequest(jobs: readonly JobView[]): (gone: string, next: string | undefined) => void {
  const way = useRef<{ readonly gone: string; readonly next: string | undefined } | null>(null)
  useEffect(() => {
    const { current } = way
    if (current === null || jobs.some(({ id }) => id === current.gone)) return
    way.current = null
    const head = document.getElementById(`request-${current.next}`)
    ;(head ?? document.querySelector<HTMLElement>('main h1'))?.focus()
  })
  return (gone, next) => {
    way.current = { gone, next }
  }
}

interface RequestHeadProps {
  readonly job: JobView
  readonly isOpen: boolean
  readonly onToggle: () => void
}

function RequestHead({ job, isOpen, onToggle }: RequestHeadProps) {
  const texts = approvalTexts.value
  const who = job.scheduledByUserId ?? texts.byCode
  return (
    <h2>
      <button type="button" id={`request-${job.id}`} class="approval-head" aria-expanded={isOpen} onClick={onToggle}>
        <Icon name={isOpen ? 'down' : 'right'} />
        <span>{job.name}</span>
        <span class="muted small">
          {texts.asked(who)} · <Time at={job.updatedAt ?? job.createdAt} as="relative" />
        </span>
      </button>
    </h2>
  )
}
