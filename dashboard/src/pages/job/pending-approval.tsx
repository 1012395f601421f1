import { useAnswer } from '../../api/questions.ts'
import type { ApprovalView, JobView } from '../../api/wire.ts'
import { dateTime } from '../../language/format.ts'
import { jobFieldName } from '../../language/job-fields.ts'
import { Answer } from '../../parts/answer.tsx'
import { ButtonLink } from '../../parts/button.tsx'
import { FieldDiff } from '../../parts/diff.tsx'
import { Section } from '../../parts/page.tsx'
import { jobPageTexts } from './texts.ts'

/** What a second person is asked to say yes to. */
export function PendingApproval({ job }: { readonly job: JobView }) {
  const texts = jobPageTexts.value
  const query = useAnswer<ApprovalView>(`jobs/${job.id}/approval`)
  return (
    <Section
      title={texts.sections.approval}
      isWide
      actions={
        <ButtonLink href={`/approvals?job=${job.id}`} icon="approvals">
          {texts.toApprovals}
        </ButtonLink>
      }
    >
      <p>{texts.pending}</p>
      <Answer query={query} lines={2}>
        {({ requestedBy, requestedAt, isFirst, changes }) => (
          <>
            {requestedAt !== null && (
              <p class="muted">
                {texts.requested(requestedBy ?? texts.byCode, dateTime(requestedAt))} {isFirst && texts.firstApproval}
              </p>
            )}
            {!isFirst && (
              <FieldDiff
                label={texts.approvalChanges}
                changes={changes.map(({ field, approved, current, isApprovedKnown }) => ({
                  field,
                  name: jobFieldName(field),
                  before: approved,
                  after: current,
                  isBeforeKnown: isApprovedKnown,
                }))}
              />
            )}
          </>
        )}
      </Answer>
    </Section>
  )
}
