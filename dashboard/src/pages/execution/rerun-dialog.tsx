import { useSignal } from '@preact/signals'
import { ask } from '../../api/ask.ts'
import { useCommand } from '../../api/commands.ts'
import { type FieldProblem, Problem } from '../../api/problem.ts'
import type { ExecutionDetailView, JobTypeView } from '../../api/wire.ts'
import { frameTexts } from '../../frame/texts.ts'
import { ProblemBox } from '../../parts/answer.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { JsonDiff } from '../../parts/diff.tsx'
import { SchemaForm } from '../../parts/json-schema-form/schema-form.tsx'
import { actionTexts } from './action-texts.ts'
import { type MadeAnswer, useGoToMade } from './go-to-made.ts'
import { executionTexts } from './texts.ts'

interface RerunDialogProps {
  readonly execution: ExecutionDetailView
  readonly jobId: string
  readonly schema: JobTypeView['inputSchema']
  readonly onClose: () => void
}

const PAYLOAD = '/payload'

/** Runs the job once more with an input that somebody has changed, and shows what he has changed. */
export function RerunDialog({ execution, jobId, schema, onClose }: RerunDialogProps) {
  const texts = actionTexts.value.rerun
  const before = execution.payload ?? undefined
  const payload = useSignal<unknown>(before)
  const isBroken = useSignal(false)
  const isChecked = useSignal(false)
  const goTo = useGoToMade()
  const run = useCommand<void, MadeAnswer>({
    run: () =>
      ask<MadeAnswer>(`jobs/${jobId}/execute`, {
        method: 'POST',
        body: payload.value === undefined ? {} : { payload: payload.value },
      }),
    onDone: (made) => {
      onClose()
      goTo(made, actionTexts.value.done.made)
    },
    showsProblems: true,
  })
  const problems = payloadProblems(run.error)
  const submit = (event: Event) => {
    event.preventDefault()
    isChecked.value = true
    if (!isBroken.value && !run.isPending) run.mutate()
  }
  return (
    <Dialog title={texts.title} size="large" onClose={onClose}>
      <form class="stack" onSubmit={submit} noValidate>
        <p>{texts.text}</p>
        {execution.payloadError !== undefined && <p class="muted">{texts.erased}</p>}
        {JSON.stringify(before)?.includes('***') && <p class="muted">{texts.hidden}</p>}
        {run.error && problems.length === 0 && <ProblemBox error={run.error} />}
        <div class="rerun">
          <SchemaForm
            label={executionTexts.value.input}
            schema={schema}
            value={payload.value}
            problems={problems}
            isChecked={isChecked.value}
            onChange={(value) => (payload.value = value)}
            onBroken={(value) => (isBroken.value = value)}
          />
          <div class="stack">
            <h3>{texts.changes}</h3>
            <JsonDiff before={before} after={payload.value} label={texts.changes} />
          </div>
        </div>
        <div class="row dialog-end">
          <Button onClick={onClose}>{frameTexts.value.cancel}</Button>
          <Button type="submit" tone="primary" icon="play" isBusy={run.isPending} isDisabled={isBroken.value}>
            {texts.confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** What is wrong with the payload, by pointers into it. */
function payloadProblems(error: Error | null): FieldProblem[] {
  if (!(error instanceof Problem)) return []
  return error.fields
    .filter(({ pointer }) => pointer === PAYLOAD || pointer.startsWith(`${PAYLOAD}/`))
    .map((problem) => ({ ...problem, pointer: problem.pointer.slice(PAYLOAD.length) }))
}
