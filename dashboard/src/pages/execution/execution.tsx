import './execution.css'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Link, useParams } from 'wouter-preact'
import { useAnswer } from '../../api/questions.ts'
import type { ExecutionDetailView, ExecutionView, JobView } from '../../api/wire.ts'
import { frameTexts } from '../../frame/texts.ts'
import { percent } from '../../language/format.ts'
import { Answer } from '../../parts/answer.tsx'
import { LogView } from '../../parts/log-view.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { plainText } from '../../parts/plain-text.ts'
import { ExecutionBadge } from '../../parts/status.tsx'
import { may } from '../../session/session.ts'
import { ExecutionActions } from './actions.tsx'
import type { ActivityView } from './activity.ts'
import { Attempts } from './attempts.tsx'
import { GivenAndTaken } from './data.tsx'
import { isEnded } from './ended.ts'
import { Outcome } from './outcome.tsx'
import { Steps } from './steps.tsx'
import { Summary } from './summary.tsx'
import { executionTexts } from './texts.ts'
import { wholeRun } from './whole-run.ts'

/** What has not ended is asked for again, since not all that happens to it is told. */
const EVERY_MS = 2_000
/** What an address ends with that leads to the log. */
const LOG = 'log'

/** One execution: what became of it, why, and what can be done about it. */
export function ExecutionPage() {
  const { id } = useParams<{ id: string }>()
  const isOpen = useSignal(false)
  const path = `jobs/executions/${id.toLowerCase()}`
  const everyMs = isOpen.value ? EVERY_MS : undefined
  const query = useAnswer<ExecutionDetailView>(`${path}?archived=true&log=false`, { everyMs })
  const steps = useAnswer<{ readonly items: readonly ActivityView[] }>(`${path}/activities?archived=true`, {
    everyMs,
    isAsked: query.data !== undefined && query.data.payloadError !== 'payload_erased',
  })
  const { data } = query
  useEffect(() => {
    isOpen.value = data !== undefined && !isEnded(data.status)
  }, [data, isOpen])
  const job = useAnswer<JobView>(`jobs/${data?.jobId ?? ''}`, {
    isAsked: typeof data?.jobId === 'string' && may('jobs:read'),
    isLive: false,
  })
  if (!data) {
    return (
      <Page title={frameTexts.value.pages.executions}>
        <Answer query={query} lines={8}>
          {() => null}
        </Answer>
      </Page>
    )
  }
  return (
    <Shown
      execution={wholeRun(data, steps.data?.items ?? [])}
      job={job.data}
      entries={steps.data?.items ?? []}
      stepsError={steps.error}
    />
  )
}

interface ShownProps {
  readonly execution: ExecutionDetailView
  readonly job: JobView | undefined
  readonly entries: readonly ActivityView[]
  readonly stepsError: Error | null
}

function Shown({ execution, job, entries, stepsError }: ShownProps) {
  const texts = executionTexts.value
  const name = execution.jobName ?? execution.jobType
  useEffect(() => {
    if (location.hash === `#${LOG}`) document.getElementById(LOG)?.scrollIntoView()
  }, [])
  const isErased = execution.payloadError === 'payload_erased'
  return (
    <Page
      title={texts.title(name, execution.executionNumber)}
      aside={<ExecutionBadge status={execution.status} />}
      lead={
        execution.jobId !== null && (
          <span>
            {texts.job}: <Link href={`/${execution.jobId}`}>{name}</Link>
          </span>
        )
      }
      actions={<ExecutionActions execution={execution} entries={entries} />}
    >
      <div class="stack">
        <Progress execution={execution} />
        <Outcome execution={execution} />
        <Section title={texts.summary}>
          <Summary execution={execution} job={job} />
        </Section>
        {(entries.length > 0 || stepsError) && (
          <Section title={texts.steps}>
            <Steps execution={execution} entries={entries} error={stepsError} />
          </Section>
        )}
        <Section title={texts.attempts}>
          <Attempts execution={execution} />
        </Section>
        <Section title={texts.log} id={LOG}>
          {isErased ? (
            <p class="muted">{texts.unreadable.payload_erased}</p>
          ) : (
            <LogView executionId={execution.id} attempts={execution.retryCount + 1} />
          )}
        </Section>
        <Section title={texts.data}>
          <GivenAndTaken execution={execution} />
        </Section>
      </div>
    </Page>
  )
}

/** How far it is, as its code says. */
function Progress({ execution }: { readonly execution: Pick<ExecutionView, 'progress' | 'progressNote'> }) {
  const { progress, progressNote } = execution
  if (progress === null) return null
  return (
    <div class="execution-progress">
      <progress value={progress} max={1} aria-label={executionTexts.value.progress} />
      <span class="number">{percent(progress, 0)}</span>
      {progressNote !== null && <span class="muted">{plainText(progressNote)}</span>}
    </div>
  )
}
