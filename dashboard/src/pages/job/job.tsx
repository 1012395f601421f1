import './job.css'
import { useParams } from 'wouter-preact'
import { useAnswer } from '../../api/questions.ts'
import type { ExecutionView, JobMore, JobView, Page as PageOf } from '../../api/wire.ts'
import { frameTexts } from '../../frame/texts.ts'
import { useUrlState } from '../../frame/url-state.ts'
import { Answer } from '../../parts/answer.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { plainText } from '../../parts/plain-text.ts'
import { RunStrip } from '../../parts/run-strip.tsx'
import { JobBadge } from '../../parts/status.tsx'
import { may } from '../../session/session.ts'
import { Actions } from './actions.tsx'
import { Definition } from './definition.tsx'
import { DefinitionSource } from './definition-source.tsx'
import { DurationChart } from './duration-chart.tsx'
import { Figures } from './figures.tsx'
import { History } from './history.tsx'
import { LinkedExecution } from './linked-execution.tsx'
import { NextRuns } from './next-runs.tsx'
import { Payload } from './payload.tsx'
import { PendingApproval } from './pending-approval.tsx'
import { jobPageTexts } from './texts.ts'
import { WhyNot } from './why-not.tsx'

const ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i
const STRIP = 90

/** All that is known of a job, and what can be done with it. */
export function JobPage() {
  const { id } = useParams<{ id: string }>()
  const [state] = useUrlState()
  const linked = state.get('execution')
  const marked = linked !== null && ID.test(linked) ? linked : null
  const query = useAnswer<JobView & JobMore>(`jobs/${id}`)
  const job = query.data
  if (!job) {
    return (
      <Page title={frameTexts.value.pages.jobs}>
        <Answer query={query} lines={10}>
          {() => null}
        </Answer>
      </Page>
    )
  }
  return (
    <Page
      title={job.name}
      aside={<JobBadge status={job.status} />}
      lead={job.description !== null && <p class="job-description">{plainText(job.description)}</p>}
      actions={<Actions key={id} job={job} />}
    >
      <div class="stack" key={id}>
        {marked !== null && may('jobs:viewHistory') && <LinkedExecution id={marked} />}
        <KnownJob job={job} marked={marked} />
      </div>
    </Page>
  )
}

function KnownJob({ job, marked }: { readonly job: JobView & JobMore; readonly marked: string | null }) {
  const texts = jobPageTexts.value
  const seesHistory = may('jobs:viewHistory')
  const runs = useAnswer<PageOf<ExecutionView>>(`jobs/${job.id}/history?limit=${STRIP}`, { isAsked: seesHistory })
  const executions = runs.data?.items ?? job.lastExecutions
  const isDeleted = job.status === 'DELETED'
  return (
    <>
      {isDeleted && <p class="job-note">{texts.deletedNote}</p>}
      {!isDeleted && <WhyNot job={job} executions={executions} />}
      <Figures job={job} />
      {seesHistory && (
        <Section title={texts.sections.runs}>
          {executions.length === 0 ? (
            <p class="muted">{texts.noRuns}</p>
          ) : (
            <div class="job-strip">
              <RunStrip runs={executions} />
            </div>
          )}
        </Section>
      )}
      <div class="job-grid">
        {job.status === 'PENDING_APPROVAL' && <PendingApproval job={job} />}
        <div class="stack">
          {!isDeleted && <NextRuns job={job} />}
          <DefinitionSource job={job} />
          <Payload job={job} />
        </div>
        <div class="stack">
          {seesHistory && <DurationChart runs={executions} statistics={job.statistics} />}
          <Definition job={job} />
        </div>
        {seesHistory && <History job={job} marked={marked} />}
      </div>
    </>
  )
}
