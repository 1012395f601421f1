import { useSignal } from '@preact/signals'
import { ask } from '../api/ask.ts'
import { useCommand } from '../api/commands.ts'
import { Problem } from '../api/problem.ts'
import { inBoth } from '../language/language.ts'
import { ProblemBox } from './answer.tsx'
import { Confirm } from './dialog.tsx'
import { TextField } from './field.tsx'

const rejectTexts = inBoth({
  'pt-BR': { reject: 'Rejeitar', reason: 'Motivo', reasonRequired: 'Informe o motivo' },
  en: { reject: 'Reject', reason: 'Reason', reasonRequired: 'Say why' },
})

export function rejectName(): string {
  return rejectTexts.value.reject
}

interface RejectDialogProps {
  readonly title: string
  /** The consequence of a rejection. */
  readonly text: string
  /** The route that rejects. */
  readonly path: string
  readonly version: number
  readonly done: string
  readonly onClose: () => void
  readonly onDone: () => void
  readonly onStale: () => void
}

/** Rejects something that waits for an approval, with a reason. */
export function RejectDialog({ title, text, path, version, done, onClose, onDone, onStale }: RejectDialogProps) {
  const texts = rejectTexts.value
  const reason = useSignal('')
  const isMissing = useSignal(false)
  const command = useCommand({
    run: async () => {
      try {
        return await ask(path, { method: 'POST', body: { reason: reason.value.trim() }, version })
      } catch (error) {
        if (!(error instanceof Problem && error.status === 412)) throw error
        onClose()
        onStale()
        throw error
      }
    },
    done,
    onDone: () => {
      onClose()
      onDone()
    },
    showsProblems: true,
  })
  const confirm = () => {
    isMissing.value = reason.value.trim() === ''
    if (!isMissing.value) command.mutate()
  }
  return (
    <Confirm
      title={title}
      confirm={texts.reject}
      isDanger
      isBusy={command.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{text}</p>
      <TextField
        label={texts.reason}
        isRequired
        lines={3}
        value={reason.value}
        problem={isMissing.value ? texts.reasonRequired : undefined}
        onInput={(value) => {
          reason.value = value
          isMissing.value = false
        }}
      />
      {command.error && <ProblemBox error={command.error} />}
    </Confirm>
  )
}
