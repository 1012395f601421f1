import { useSignal } from '@preact/signals'
import { frameTexts } from '../../frame/texts.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { type JobVerb, verbName } from '../../parts/job-verbs.ts'
import type { BulkForecast } from './bulk.ts'
import { bulkTexts } from './bulk-texts.ts'

interface BulkQuestionProps {
  readonly verb: JobVerb
  readonly ahead: BulkForecast
  readonly onConfirm: (reason: string) => void
  readonly onClose: () => void
}

/** Says how many jobs it would be, and asks. Whoever deletes types the number. */
export function BulkQuestion({ verb, ahead, onConfirm, onClose }: BulkQuestionProps) {
  const texts = bulkTexts.value
  const reason = useSignal('')
  const typed = useSignal('')
  const isWrong = useSignal(false)
  const { applicable, matched, sample } = ahead
  const confirm = (event?: Event) => {
    event?.preventDefault()
    if (applicable === 0) return
    isWrong.value = verb === 'delete' && typed.value.trim() !== String(applicable)
    if (!isWrong.value) onConfirm(reason.value.trim())
  }
  return (
    <Dialog
      title={texts.titles[verb]}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{frameTexts.value.cancel}</Button>
          <Button
            tone={verb === 'delete' ? 'danger' : 'primary'}
            isDisabled={applicable === 0}
            onClick={() => confirm()}
          >
            {texts.confirm(verbName(verb), applicable)}
          </Button>
        </>
      }
    >
      <form class="dialog-content" onSubmit={confirm} noValidate>
        <p role="status">{applicable === 0 ? texts.none : texts.forecast(applicable, matched)}</p>
        {sample.length > 0 && (
          <p class="bulk-sample muted small">
            {texts.sample} {sample.join(', ')}
            {matched > sample.length && ' …'}
          </p>
        )}
        {verb === 'pause' && applicable > 0 && (
          <TextField
            label={texts.reason}
            hint={texts.reasonHint}
            value={reason.value}
            onInput={(value) => (reason.value = value)}
            more={{ maxLength: 1_000 }}
          />
        )}
        {verb === 'delete' && applicable > 0 && (
          <>
            <p>{texts.deleteWarning}</p>
            <TextField
              label={texts.typeCount(applicable)}
              value={typed.value}
              problem={isWrong.value ? texts.wrongCount(applicable) : undefined}
              onInput={(value) => (typed.value = value)}
              more={{ inputMode: 'numeric', autocomplete: 'off' }}
            />
          </>
        )}
      </form>
    </Dialog>
  )
}
