import { Link } from 'wouter-preact'
import type { JobMore, JobView } from '../../api/wire.ts'
import { dateTime, duration, percent, relative } from '../../language/format.ts'
import { Figure } from '../../parts/page.tsx'
import { plainLine } from '../../parts/plain-text.ts'
import { now, Time } from '../../parts/time.tsx'
import { jobPageTexts } from './texts.ts'

const GOOD_RATE = 0.95

/** How the job has done, and when it does so next. */
export function Figures({ job }: { readonly job: JobView & JobMore }) {
  const texts = jobPageTexts.value
  const { statistics } = job
  const { successRate, lastFailure, lastSuccessAt } = statistics
  return (
    <dl class="figures job-figures">
      <Figure
        name={texts.nextRun}
        note={job.nextExecution === null ? undefined : <Time at={job.nextExecution} hasSeconds={false} />}
      >
        {job.nextExecution === null ? texts.noNext : relative(job.nextExecution, now.value)}
      </Figure>
      <Figure
        name={texts.successRate}
        note={texts.ofRuns(statistics.totalExecutions)}
        {...(successRate !== null && successRate < GOOD_RATE ? { tone: 'bad' as const } : {})}
      >
        {percent(successRate)}
      </Figure>
      <Figure
        name={texts.usualDuration}
        note={`p95 ${duration(statistics.p95DurationMs)} · p99 ${duration(statistics.p99DurationMs)}`}
      >
        {duration(statistics.p50DurationMs)}
      </Figure>
      <Figure
        name={texts.lastFailure}
        note={
          lastFailure === null ? (
            lastSuccessAt !== null && texts.lastSuccess(dateTime(lastSuccessAt, { hasSeconds: false }))
          ) : (
            <Link class="clamped" href={`/executions/${lastFailure.executionId}`}>
              {plainLine(lastFailure.errorMessage ?? lastFailure.executionId)}
            </Link>
          )
        }
      >
        {lastFailure === null ? texts.noFailure : relative(lastFailure.at, now.value)}
      </Figure>
    </dl>
  )
}
