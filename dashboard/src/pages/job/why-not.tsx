import { Link } from 'wouter-preact'
import { useAnswer } from '../../api/questions.ts'
import type { ExecutionView, JobTypeView, JobView, MisfireInfo, WorkersView } from '../../api/wire.ts'
import { dateTime, number, relative } from '../../language/format.ts'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { Section } from '../../parts/page.tsx'
import { plainLine } from '../../parts/plain-text.ts'
import { now } from '../../parts/time.tsx'
import { type ReasonFacts, reasonTexts } from './reason-texts.ts'
import { type Reason, type ReasonCode, reasonsOf } from './reasons.ts'
import { jobPageTexts } from './texts.ts'

const ICONS: Readonly<Record<Reason['tone'], IconName>> = {
  bad: 'stop',
  warn: 'warning',
  info: 'whatIf',
  good: 'check',
}

interface WhyNotProps {
  readonly job: JobView
  readonly executions: readonly ExecutionView[]
}

/** Everything that keeps the job from running in one place, with what to do about it. */
export function WhyNot({ job, executions }: WhyNotProps) {
  const texts = reasonTexts.value
  const workers = useAnswer<WorkersView>('jobs/workers').data
  const types = useAnswer<{ readonly items: readonly JobTypeView[] }>('jobs/types', { isLive: false }).data
  const type = types?.items.find(({ id }) => id === job.jobType)
  const reasons = reasonsOf({ job, executions, type, workers })
  return (
    <Section title={jobPageTexts.value.sections.why}>
      <ul class="reasons">
        {reasons.map((reason) => {
          const step = texts.steps[reason.code]
          const href = hrefOf(reason, job)
          return (
            <li key={reason.code} class={reason.tone}>
              <Icon name={ICONS[reason.tone]} />
              <div>
                <p>{texts.reasons[reason.code](factsOf(reason, job, type, workers))}</p>
                {step !== undefined && (href === null ? <p class="muted">{step}</p> : <Link href={href}>{step}</Link>)}
              </div>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}

/** Where the next step is taken; null: on this page. */
function hrefOf({ code, execution }: Reason, job: JobView): string | null {
  if (execution) return `/executions/${execution.id}`
  const hrefs: Readonly<Partial<Record<ReasonCode, string>>> = {
    pendingApproval: '/approvals',
    suspended: '/settings',
    cap: '/settings',
    neverAgain: `/${job.id}/edit`,
    typeUnknown: '/workers',
    noNodes: '/workers',
    queueUnserved: '/workers',
    busy: '/workers',
    calendar: '/calendars',
  }
  return hrefs[code] ?? null
}

function factsOf(
  { execution }: Reason,
  job: JobView,
  type: JobTypeView | undefined,
  workers: WorkersView | undefined,
): ReasonFacts {
  const at = (instant: string | null) => (instant === null ? '–' : dateTime(instant, { hasSeconds: false }))
  const misfire = execution?.misfire as MisfireInfo | null | undefined
  return {
    reason: job.statusReason === null ? null : plainLine(job.statusReason),
    until: at(job.pausedUntil),
    since: at(job.updatedAt),
    next: job.nextExecution === null ? '–' : `${relative(job.nextExecution, now.value)}, ${at(job.nextExecution)}`,
    calendar: job.calendar ?? '',
    queue: type?.queue ?? '',
    cap: number(workers?.cap ?? 0),
    retryAt: at(execution?.nextRetryAt ?? null),
    error: plainLine(execution?.errorMessage ?? execution?.attempts?.at(-1)?.errorMessage ?? '–'),
    missed: number(misfire?.missedCount ?? 0),
    cause: misfire?.cause ?? '–',
  }
}
