import type { ApprovalView, JobView, Priority } from '../../api/wire.ts'
import { jobFieldName, jobFieldUnit, overlapName } from '../../language/job-fields.ts'
import { policyName, priorityName } from '../../language/names.ts'
import { FieldDiff } from '../../parts/diff.tsx'
import { approvalTexts } from './texts.ts'
import { toldChanges } from './told-changes.ts'

/** What somebody says yes to: field by field against what was approved last. */
export function ApprovalDiff({ approval }: { readonly approval: ApprovalView }) {
  const texts = approvalTexts.value
  if (approval.changes.length === 0) return <p>{texts.same}</p>
  return (
    <>
      {approval.isFirst && <p>{texts.first}</p>}
      <FieldDiff
        label={approval.isFirst ? texts.allFields : texts.changes}
        isFirst={approval.isFirst}
        show={shown}
        changes={toldChanges(approval.changes).map(({ field, approved, current, isApprovedKnown }) => ({
          field,
          name: jobFieldName(field),
          before: approved,
          after: current,
          isBeforeKnown: isApprovedKnown,
        }))}
      />
    </>
  )
}

function shown(field: string, value: unknown): string | undefined {
  const texts = approvalTexts.value
  if (value === null || value === undefined) return undefined
  if (typeof value === 'boolean') return value ? texts.yes : texts.no
  if (field === 'priority') return priorityName(value as Priority)
  if (field === 'misfirePolicy' && typeof value === 'string') return policyName(value)
  if (field === 'overlap') return overlapName(value as JobView['overlap'])
  const unit = jobFieldUnit(field)
  if (unit !== undefined && typeof value === 'number') return texts[unit](value)
  return undefined
}
