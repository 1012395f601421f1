import { ask } from '../../api/ask.ts'
import { useCommand } from '../../api/commands.ts'
import type { ExecutionView } from '../../api/wire.ts'
import { Confirm } from '../../parts/dialog.tsx'
import { actionTexts } from './action-texts.ts'

interface EraseDialogProps {
  readonly execution: Pick<ExecutionView, 'id'>
  readonly onClose: () => void
}

export function EraseDialog({ execution, onClose }: EraseDialogProps) {
  const texts = actionTexts.value.erase
  const erase = useCommand({
    run: () => ask(`jobs/executions/${execution.id}/erase`, { method: 'POST' }),
    done: actionTexts.value.done.erased,
    onDone: onClose,
  })
  return (
    <Confirm
      title={texts.title}
      confirm={texts.confirm}
      isDanger
      isBusy={erase.isPending}
      onConfirm={() => erase.mutate()}
      onClose={onClose}
    >
      <p>{texts.text}</p>
    </Confirm>
  )
}
