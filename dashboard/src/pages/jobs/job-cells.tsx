import { Link } from 'wouter-preact'
import type { JobListItem } from '../../api/wire.ts'
import { priorityName } from '../../language/names.ts'
import { plainLine } from '../../parts/plain-text.ts'
import { Badge, JobBadge } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { listTexts } from './texts.ts'

interface CellProps {
  readonly job: JobListItem
}

export function NameCell({ job, onTag }: CellProps & { readonly onTag: (tag: string) => void }) {
  return (
    <div class="job-name">
      <Link href={`/${job.id}`}>{job.name}</Link>
      <p class="job-facts muted small">
        {job.jobType} · {priorityName(job.priority)}
      </p>
      {job.description !== null && job.description !== '' && <p class="muted small">{job.description}</p>}
      {job.tags.length > 0 && (
        <ul class="job-tags" aria-label={listTexts.value.tags}>
          {job.tags.map((tag) => (
            <li key={tag}>
              <button type="button" class="tag" title={listTexts.value.byTag(tag)} onClick={() => onTag(tag)}>
                {tag}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** How it stands and, where somebody has said so, why. */
export function StatusCell({ job }: CellProps) {
  const { pausedUntil, isSuspended } = job
  const texts = listTexts.value
  const reason = reasonOf(job)
  return (
    <div class="job-status">
      <span class="row">
        <JobBadge status={job.status} />
        {isSuspended && <Badge tone="warn">{texts.isSuspended}</Badge>}
      </span>
      {reason !== null && <p class="muted small">{reason}</p>}
      {pausedUntil !== null && (
        <p class="muted small">
          {texts.pausedUntil} <Time at={pausedUntil} hasSeconds={false} />
        </p>
      )}
    </div>
  )
}

/** Of a faulted job, the error it failed with tells more than which execution that was. */
function reasonOf({ status, statusReason, recentExecutions = [] }: JobListItem): string | null {
  const error = recentExecutions.find(({ errorMessage }) => errorMessage !== null)?.errorMessage
  return status === 'FAULTED' && error ? plainLine(error) : statusReason
}

export function ScheduleCell({ job }: CellProps) {
  const { triggers, withCalendar } = listTexts.value
  const trigger = innermost(job.trigger)
  return (
    <div>
      {trigger.type === 'cron' ? (
        <code class="nowrap">{trigger.expression}</code>
      ) : (
        <span>{triggers[trigger.type]}</span>
      )}
      <p class="muted small">
        {job.timeZone}
        {job.calendar !== null && ` · ${withCalendar(job.calendar)}`}
      </p>
    </div>
  )
}

/** What is due, whatever is spread or left out of it. */
function innermost(trigger: JobListItem['trigger']): Exclude<JobListItem['trigger'], { readonly trigger: unknown }> {
  return 'trigger' in trigger ? innermost(trigger.trigger) : trigger
}

/** Near in words, and in full in the job's own zone. */
export function NextCell({ job }: CellProps) {
  const { nextExecution, timeZone, isSuspended } = job
  if (nextExecution === null) return <span class="muted">–</span>
  return (
    <div class={isSuspended ? 'muted' : undefined}>
      <Time at={nextExecution} zone={timeZone} as="relative" />
      <p class="muted small">
        <Time at={nextExecution} zone={timeZone} hasSeconds={false} />
      </p>
    </div>
  )
}
