import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'
import type { ExecutionDetailView } from '../../api/wire.ts'
import { duration } from '../../language/format.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Facts } from '../../parts/page.tsx'
import { now, Time } from '../../parts/time.tsx'
import { type ActivityView, isPlace, isTakenOver, lengthMs } from './activity.ts'
import { Value } from './data.tsx'
import { isEnded } from './ended.ts'
import { RestartDialog } from './restart-dialog.tsx'
import { stepTexts } from './step-texts.ts'
import { kindName, sourceWords, stepName, stepStatusName } from './step-words.ts'
import { executionTexts } from './texts.ts'

interface ActivityDialogProps {
  readonly execution: ExecutionDetailView
  readonly entries: readonly ActivityView[]
  readonly entry: ActivityView
  readonly onClose: () => void
}

/** One step with what it took, what it gave and why it failed. */
export function ActivityDialog({ execution, entries, entry, onClose }: ActivityDialogProps) {
  const texts = stepTexts.value
  const isRestarting = useSignal(false)
  const mayRestart = isPlace(entry) && (isEnded(execution.status) || execution.status === 'DIVERGED')
  if (isRestarting.value) return <RestartDialog {...{ execution, entries, entry, onClose }} />
  return (
    <Dialog
      title={stepName(entry)}
      size="large"
      onClose={onClose}
      actions={
        mayRestart && (
          <Button icon="retry" needs="jobs:execute" onClick={() => (isRestarting.value = true)}>
            {texts.restart.button}
          </Button>
        )
      }
    >
      <Facts facts={factsOf(entry, execution)} />
      <div class="grid">
        <Value name={executionTexts.value.input} value={entry.input} />
        <Value name={executionTexts.value.output} value={entry.output} />
      </div>
      {isGiven(entry.error) && <Value name={executionTexts.value.error} value={entry.error} />}
      {isGiven(entry.details) && <Value name={texts.waterfall.details} value={entry.details} />}
    </Dialog>
  )
}

function factsOf(entry: ActivityView, { createdAt }: ExecutionDetailView): (readonly [string, ComponentChildren])[] {
  const texts = stepTexts.value.waterfall
  return [
    [texts.kind, kindName(entry)],
    [texts.status, stepStatusName(entry)],
    [texts.source, sourceWords(entry, isTakenOver(entry, createdAt))],
    [texts.attempts, Math.max(1, entry.attempt)],
    [texts.startedAt, <Time key="start" at={entry.startedAt} />],
    [texts.endedAt, <Time key="end" at={entry.endedAt} />],
    ...(entry.dueAt === null ? [] : [[texts.dueAt, <Time key="due" at={entry.dueAt} as="both" />] as const]),
    [texts.duration, duration(lengthMs(entry, entry.endedAt === null ? now.value : 0))],
    ...(entry.childId === null
      ? []
      : [
          [
            texts.child,
            <Link key="child" href={`/executions/${entry.childId}`}>
              <code>{entry.childId.slice(-12)}</code>
            </Link>,
          ] as const,
        ]),
  ]
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined
}
