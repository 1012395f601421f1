import type { JobView } from '../../api/wire.ts'
import { jobFieldName } from '../../language/job-fields.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { FieldDiff } from '../../parts/diff.tsx'
import { diffFields } from '../../parts/diff-lines.ts'
import { bodyOf, type JobBody, valuesOf } from './form-values.ts'
import { formTexts } from './texts.ts'

interface StaleDialogProps {
  readonly before: JobView
  readonly now: JobView
  /** What whoever edits would send. */
  readonly mine: JobBody
  readonly onDecide: (choice: 'reload' | 'overwrite' | 'stay') => void
}

/** Shows what somebody else has changed since the form was opened, and asks what becomes of both. */
export function StaleDialog({ before, now, mine, onDecide }: StaleDialogProps) {
  const texts = formTexts.value
  const changes = diffFields(bodyOf(valuesOf(before), undefined), bodyOf(valuesOf(now), undefined))
  return (
    <Dialog
      title={texts.staleTitle}
      size="large"
      onClose={() => onDecide('stay')}
      actions={
        <>
          <Button onClick={() => onDecide('stay')}>{texts.stay}</Button>
          <Button onClick={() => onDecide('reload')}>{texts.reload}</Button>
          <Button tone="primary" onClick={() => onDecide('overwrite')}>
            {texts.overwrite}
          </Button>
        </>
      }
    >
      <p>{texts.staleText(now.updatedBy ?? texts.somebody)}</p>
      {changes.length === 0 ? (
        <p class="muted">{texts.staleSame}</p>
      ) : (
        <FieldDiff
          label={texts.staleChanges}
          changes={changes.map(({ field, before: was, after }) => ({
            field,
            name: field in mine ? `${jobFieldName(field)} · ${texts.changedToo}` : jobFieldName(field),
            before: was,
            after,
          }))}
        />
      )}
    </Dialog>
  )
}
