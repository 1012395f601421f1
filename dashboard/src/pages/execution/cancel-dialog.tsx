import { useSignal } from '@preact/signals'
import { ask } from '../../api/ask.ts'
import { useCommand } from '../../api/commands.ts'
import type { CancelAnswer, ExecutionView } from '../../api/wire.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { actionTexts } from './action-texts.ts'

interface CancelDialogProps {
  readonly execution: Pick<ExecutionView, 'id'>
  readonly onClose: () => void
}

export function CancelDialog({ execution, onClose }: CancelDialogProps) {
  const texts = actionTexts.value.cancel
  const reason = useSignal('')
  const cancel = useCommand<void, CancelAnswer>({
    run: () =>
      ask<CancelAnswer>(`jobs/executions/${execution.id}/cancel`, {
        method: 'POST',
        body: reason.value.trim() === '' ? {} : { reason: reason.value.trim() },
      }),
    done: ({ cancelling }) => actionTexts.value.done[cancelling.length > 0 ? 'cancelling' : 'cancelled'],
    onDone: onClose,
  })
  return (
    <Dialog
      title={texts.title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{actionTexts.value.actions.back}</Button>
          <Button tone="danger" isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
            {texts.confirm}
          </Button>
        </>
      }
    >
      <p>{texts.text}</p>
      <TextField
        label={texts.reason}
        value={reason.value}
        onInput={(value) => (reason.value = value)}
        more={{ maxLength: 1_000 }}
      />
    </Dialog>
  )
}
