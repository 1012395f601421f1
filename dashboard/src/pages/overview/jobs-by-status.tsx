import { Link } from 'wouter-preact'
import type { DashboardView, JobStatus } from '../../api/wire.ts'
import { number } from '../../language/format.ts'
import { Section } from '../../parts/page.tsx'
import { JobBadge } from '../../parts/status.tsx'
import { overviewTexts } from './texts.ts'

/** Those that somebody has to do something about come first. */
const ORDER: readonly JobStatus[] = ['FAULTED', 'PENDING_APPROVAL', 'PAUSED', 'ACTIVE', 'APPROVED', 'DISABLED']

export function JobsByStatus({ jobs }: { readonly jobs: DashboardView['jobs'] }) {
  const texts = overviewTexts.value
  const present = ORDER.filter((status) => (jobs[status] ?? 0) > 0)
  return (
    <Section title={texts.jobs} actions={<Link href="/list">{texts.allJobs}</Link>}>
      {present.length === 0 && <p class="muted">{texts.noJobs}</p>}
      <ul class="overview-jobs">
        {present.map((status) => (
          <li key={status}>
            <Link href={`/list?q=status:${status.toLowerCase()}`}>
              <JobBadge status={status} /> <strong class="number">{number(jobs[status] ?? 0)}</strong>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}
