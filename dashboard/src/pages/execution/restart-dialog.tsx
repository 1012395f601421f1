import { ask } from '../../api/ask.ts'
import { useCommand } from '../../api/commands.ts'
import type { ExecutionDetailView } from '../../api/wire.ts'
import { frameTexts } from '../../frame/texts.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { actionTexts } from './action-texts.ts'
import { type ActivityView, splitAt } from './activity.ts'
import { type MadeAnswer, useGoToMade } from './go-to-made.ts'
import { stepTexts } from './step-texts.ts'
import { stepName } from './step-words.ts'

interface RestartDialogProps {
  readonly execution: ExecutionDetailView
  readonly entries: readonly ActivityView[]
  readonly entry: ActivityView
  readonly onClose: () => void
}

/** Says what is kept and what is done again before a run begins anew from one of its steps. */
export function RestartDialog({ execution, entries, entry, onClose }: RestartDialogProps) {
  const texts = stepTexts.value.restart
  const { kept, again } = splitAt(entries, entry.sequence)
  const goTo = useGoToMade()
  const isSame = execution.status === 'DIVERGED'
  const restart = useCommand<void, MadeAnswer>({
    run: () =>
      ask<MadeAnswer>(`jobs/executions/${execution.id}/restart`, {
        method: 'POST',
        body: { sequence: entry.sequence },
      }),
    onDone: (made) => {
      onClose()
      goTo(made, isSame ? actionTexts.value.done.restarted : actionTexts.value.done.made)
    },
  })
  return (
    <Dialog
      title={texts.title(stepName(entry))}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{frameTexts.value.cancel}</Button>
          <Button tone="primary" needs="jobs:execute" isBusy={restart.isPending} onClick={() => restart.mutate()}>
            {texts.confirm}
          </Button>
        </>
      }
    >
      <p>{isSame ? texts.asSame : texts.asNew}</p>
      <Named title={texts.kept(kept.length)} entries={kept} />
      <Named title={texts.again(again.length)} entries={again} />
      <p>{texts.effects}</p>
    </Dialog>
  )
}

const NAMED = 5

function Named({ title, entries }: { readonly title: string; readonly entries: readonly ActivityView[] }) {
  const names = entries.slice(0, NAMED).map(stepName)
  const rest = entries.length - names.length
  return (
    <p>
      {title} {names.join(', ')}
      {rest > 0 && ` ${stepTexts.value.restart.more(rest)}`}
    </p>
  )
}
