import './overview.css'
import { Link } from 'wouter-preact'
import type { DashboardView, JobStatus } from '../../api/wire.ts'
import { frameTexts } from '../../frame/texts.ts'
import { number } from '../../language/format.ts'
import { Answer, Skeleton } from '../../parts/answer.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { JobBadge } from '../../parts/status.tsx'
import { may } from '../../session/session.ts'
import { useDashboard, useSeries, useUpcoming } from './asked.ts'
import { FailureGroups } from './failure-groups.tsx'
import { useHealth } from './health.ts'
import { LiveFigures } from './live-figures.tsx'
import { NextRuns } from './next-runs.tsx'
import { OpenAlerts } from './open-alerts.tsx'
import { RunningNow } from './running-now.tsx'
import { overviewTexts } from './texts.ts'
import { ThroughputChart } from './throughput-chart.tsx'
import { checksOf, verdictOf } from './verdict.ts'
import { SuspendedBanner, VerdictLine } from './verdict-line.tsx'

/** Those that somebody has to do something about come first. */
const ORDER: readonly JobStatus[] = ['FAULTED', 'PENDING_APPROVAL', 'PAUSED', 'ACTIVE', 'APPROVED', 'DISABLED']

function JobsByStatus({ jobs }: { readonly jobs: DashboardView['jobs'] }) {
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

/** Whether all is well, and where to look if not: for somebody who was woken up. */
export function Overview() {
  const dashboard = useDashboard()
  const failed = failedOf(dashboard.data)
  const series = useSeries(failed)
  const upcoming = useUpcoming()
  const maySeeHistory = may('jobs:viewHistory')
  return (
    <Page title={frameTexts.value.pages.overview}>
      <Verdict dashboard={dashboard} isSuspended={upcoming.data?.isSuspended === true} />
      {upcoming.data?.isSuspended && <SuspendedBanner />}
      <Answer query={dashboard} lines={6}>
        {(answer) => (
          <>
            <OpenAlerts alerts={answer.alerts} />
            <LiveFigures dashboard={answer} buckets={series.data?.buckets ?? []} />
          </>
        )}
      </Answer>
      <Section title={overviewTexts.value.throughput}>
        <Answer query={series}>{(answer) => <ThroughputChart series={answer} />}</Answer>
      </Section>
      <div class="grid">
        <div class="stack">
          {maySeeHistory && <RunningNow />}
          {maySeeHistory && <FailureGroups failed={failed} />}
          {dashboard.data && <JobsByStatus jobs={dashboard.data.jobs} />}
        </div>
        <Answer query={upcoming}>{(answer) => <NextRuns upcoming={answer} />}</Answer>
      </div>
    </Page>
  )
}

interface VerdictProps {
  readonly dashboard: { readonly data: DashboardView | undefined; readonly error: Error | null }
  readonly isSuspended: boolean
}

/** Nothing is said to be well before all is known that may be wrong. */
function Verdict({ dashboard: { data, error }, isSuspended }: VerdictProps) {
  const health = useHealth()
  if (!health.data || (!data && !error)) return <Skeleton lines={1} />
  const checks = checksOf(data ? health.data : { status: 'unreachable' })
  return <VerdictLine verdict={verdictOf({ checks, alerts: data?.alerts ?? [], isSuspended })} checks={checks} />
}

function failedOf(dashboard: DashboardView | undefined): number | undefined {
  return dashboard && dashboard.last24Hours.failed + dashboard.last24Hours.timedOut
}
