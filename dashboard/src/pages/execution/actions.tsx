import { useSignal } from '@preact/signals'
import { ask, withParameters } from '../../api/ask.ts'
import { useCommand } from '../../api/commands.ts'
import { useAnswer } from '../../api/questions.ts'
import type { ExecutionDetailView, ExecutionView, JobTypeView } from '../../api/wire.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { isAdmin, may } from '../../session/session.ts'
import { actionTexts } from './action-texts.ts'
import type { ActivityView } from './activity.ts'
import { CancelDialog } from './cancel-dialog.tsx'
import { isEnded } from './ended.ts'
import { type MadeAnswer, useGoToMade } from './go-to-made.ts'
import { RerunDialog } from './rerun-dialog.tsx'
import { SignalDialog } from './signal-dialog.tsx'

interface ExecutionActionsProps {
  readonly execution: ExecutionDetailView
  readonly entries: readonly ActivityView[]
}

/** What can be done about it, as it stands now. */
export function ExecutionActions({ execution, entries }: ExecutionActionsProps) {
  const texts = actionTexts.value.actions
  const opened = useSignal<'cancel' | 'rerun' | 'signal' | 'erase' | null>(null)
  const type = useJobType(execution.jobType)
  const close = () => (opened.value = null)
  const { status, jobId } = execution
  const hasEnded = isEnded(status)
  const isDurable = type?.isDurable === true || entries.length > 0
  return (
    <>
      {hasEnded && status !== 'SUCCESS' && jobId !== null && <Retry execution={execution} jobId={jobId} />}
      {!hasEnded && (
        <Button tone="danger" icon="stop" needs="jobs:execute" onClick={() => (opened.value = 'cancel')}>
          {texts.cancel}
        </Button>
      )}
      {!hasEnded && isDurable && (
        <Button icon="external" needs="jobs:execute" onClick={() => (opened.value = 'signal')}>
          {texts.signal}
        </Button>
      )}
      {jobId !== null && (
        <Button icon="edit" needs="jobs:execute" onClick={() => (opened.value = 'rerun')}>
          {texts.rerun}
        </Button>
      )}
      {hasEnded && isAdmin() && execution.payloadError !== 'payload_erased' && (
        <Button icon="trash" onClick={() => (opened.value = 'erase')}>
          {texts.erase}
        </Button>
      )}
      {jobId === null && <p class="muted small execution-no-job">{actionTexts.value.rerun.noJob}</p>}
      {opened.value === 'cancel' && <CancelDialog execution={execution} onClose={close} />}
      {opened.value === 'signal' && <SignalDialog execution={execution} entries={entries} onClose={close} />}
      {opened.value === 'rerun' && jobId !== null && (
        <RerunDialog execution={execution} jobId={jobId} schema={type?.inputSchema ?? null} onClose={close} />
      )}
      {opened.value === 'erase' && <EraseDialog execution={execution} onClose={close} />}
    </>
  )
}

function Retry({ execution, jobId }: { readonly execution: ExecutionDetailView; readonly jobId: string }) {
  const goTo = useGoToMade()
  const retry = useCommand<void, MadeAnswer>({
    run: () =>
      ask<MadeAnswer>(withParameters(`jobs/${jobId}/retry`, { executionId: execution.id }), { method: 'POST' }),
    onDone: (made) => goTo(made, actionTexts.value.done.made),
  })
  return (
    <Button tone="primary" icon="retry" needs="jobs:execute" isBusy={retry.isPending} onClick={() => retry.mutate()}>
      {actionTexts.value.actions.retry}
    </Button>
  )
}

function useJobType(id: string): JobTypeView | undefined {
  const { data } = useAnswer<{ readonly items: readonly JobTypeView[] }>('jobs/types', {
    isAsked: may('jobs:read'),
    isLive: false,
  })
  return data?.items.find((type) => type.id === id)
}

interface EraseDialogProps {
  readonly execution: Pick<ExecutionView, 'id'>
  readonly onClose: () => void
}

function EraseDialog({ execution, onClose }: EraseDialogProps) {
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
