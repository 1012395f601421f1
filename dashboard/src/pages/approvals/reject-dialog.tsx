import { useSignal } from '@preact/signals'
import { ask } from '../../api/ask.ts'
import { useCommand } from '../../api/commands.ts'
import { Problem } from '../../api/problem.ts'
import type { JobView } from '../../api/wire.ts'
import { ProblemBox } from '../../parts/answer.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { approvalTexts } from './texts.ts'

interface RejectDialogProps {
  readonly job: Pick<JobView, 'id' | 'name'>
  readonly version: number
  readonly onClose: () => void
  readonly onDone: () => void
  readonly onStale: () => void
}

/** The no, which says why. */
export function RejectDialog({ job, version, onClose, onDone, onStale }: RejectDialogProps) {
  const texts = approvalTexts.value
  const reason = useSignal('')
  const isMissing = useSignal(false)
  const command = useCommand({
    run: async () => {
      try {
        return await ask<JobView>(`jobs/${job.id}/reject`, {
          method: 'POST',
          body: { reason: reason.value.trim() },
          version,
        })
      } catch (error) {
        if (!(error instanceof Problem && error.status === 412)) throw error
        onClose()
        onStale()
        throw error
      }
    },
    done: texts.rejected(job.name),
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
      title={texts.rejectTitle(job.name)}
      confirm={texts.reject}
      isDanger
      isBusy={command.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{texts.rejectText}</p>
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
