import { useAnswer } from '../../api/questions.ts'
import type { JobView, NextExecutionView } from '../../api/wire.ts'
import { jobFieldName } from '../../language/job-fields.ts'
import { Answer } from '../../parts/answer.tsx'
import { Section } from '../../parts/page.tsx'
import { Upcoming } from '../../parts/upcoming.tsx'
import { jobPageTexts } from './texts.ts'

/** When the job fires, in words and as the next ten times. */
export function NextRuns({ job }: { readonly job: JobView }) {
  const texts = jobPageTexts.value
  const query = useAnswer<NextExecutionView>(`jobs/${job.id}/nextExecution`)
  return (
    <Section title={texts.sections.schedule}>
      <Answer query={query} lines={10}>
        {({ description, upcoming }) => (
          <>
            <p>
              <strong>{description}</strong>
            </p>
            <p class="muted small row">
              {job.cronExpression !== null && (
                <span>
                  {jobFieldName('cronExpression')}: <code>{job.cronExpression}</code>
                </span>
              )}
              <span>
                {jobFieldName('timeZone')}: {job.timeZone}
              </span>
            </p>
            {upcoming.length === 0 ? (
              <p class="muted">{texts.noNext}</p>
            ) : (
              <Upcoming label={texts.sections.schedule} times={upcoming} zone={job.timeZone} />
            )}
          </>
        )}
      </Answer>
    </Section>
  )
}
