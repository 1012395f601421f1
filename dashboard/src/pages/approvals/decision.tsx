import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ask } from '../../api/ask.ts'
import { useCommand } from '../../api/commands.ts'
import { Problem } from '../../api/problem.ts'
import type { JobView, Permission } from '../../api/wire.ts'
import { jobTexts } from '../../language/job-texts.ts'
import { ProblemBox } from '../../parts/answer.tsx'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { RejectDialog, rejectName } from '../../parts/reject-dialog.tsx'
import { may } from '../../session/session.ts'
import { approvalTexts } from './texts.ts'

interface DecisionProps {
  readonly job: Pick<JobView, 'id' | 'name'>
  /** The version that is shown: nobody says yes to what he did not see. */
  readonly version: number
  readonly onDone: () => void
  /** It is another version by now. */
  readonly onStale: () => void
}

/** A yes or a no needs both; the one that is missing is named. */
function missingToDecide(): Permission {
  return may('jobs:approve') ? 'jobs:execute' : 'jobs:approve'
}

/** The yes, with a comment, or the no. */
export function Decision({ job, version, onDone, onStale }: DecisionProps) {
  const texts = approvalTexts.value
  const comment = useSignal('')
  const isRejecting = useSignal(false)
  const command = useCommand({
    run: () => {
      const body = comment.value.trim() === '' ? {} : { comment: comment.value.trim() }
      return ask<JobView>(`jobs/${job.id}/approve`, { method: 'POST', body, version })
    },
    done: texts.approved(job.name),
    onDone,
    showsProblems: true,
  })
  const isStale = command.error instanceof Problem && command.error.status === 412
  useEffect(() => {
    if (isStale) onStale()
  }, [isStale])
  return (
    <div class="stack decision">
      <TextField
        label={texts.comment}
        hint={texts.commentHint}
        lines={2}
        value={comment.value}
        onInput={(value) => (comment.value = value)}
      />
      {command.error && !isStale && <ProblemBox error={command.error} />}
      <div class="row">
        <Button
          tone="primary"
          icon="check"
          needs={missingToDecide()}
          isBusy={command.isPending}
          onClick={() => command.mutate()}
        >
          {jobTexts.value.actions.approve}
        </Button>
        <Button tone="danger" icon="close" needs={missingToDecide()} onClick={() => (isRejecting.value = true)}>
          {rejectName()}
        </Button>
      </div>
      {isRejecting.value && (
        <RejectDialog
          title={texts.rejectTitle(job.name)}
          text={texts.rejectText}
          path={`jobs/${job.id}/reject`}
          version={version}
          done={texts.rejected(job.name)}
          onClose={() => (isRejecting.value = false)}
          onDone={onDone}
          onStale={onStale}
        />
      )}
    </div>
  )
}
