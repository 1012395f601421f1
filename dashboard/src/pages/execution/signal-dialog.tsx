import { useSignal } from '@preact/signals'
import { ask } from '../../api/ask.ts'
import { useCommand } from '../../api/commands.ts'
import { Problem } from '../../api/problem.ts'
import type { ExecutionView } from '../../api/wire.ts'
import { frameTexts } from '../../frame/texts.ts'
import { ProblemBox } from '../../parts/answer.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { actionTexts } from './action-texts.ts'
import type { ActivityView } from './activity.ts'

interface SignalDialogProps {
  readonly execution: Pick<ExecutionView, 'id'>
  readonly entries: readonly ActivityView[]
  readonly onClose: () => void
}

/** Sends a message to a durable execution, by default one that it waits for. */
export function SignalDialog({ execution, entries, onClose }: SignalDialogProps) {
  const texts = actionTexts.value.signal
  const awaited = awaitedSignals(entries)
  const name = useSignal(awaited[0] ?? '')
  const payload = useSignal('')
  const isChecked = useSignal(false)
  const parsed = parseJson(payload.value)
  const isNamed = name.value.trim() !== ''
  const send = useCommand({
    run: () =>
      ask(`jobs/executions/${execution.id}/signal`, {
        method: 'POST',
        body: {
          name: name.value.trim(),
          ...(parsed.isValid && parsed.value !== undefined && { payload: parsed.value }),
        },
      }),
    done: () => actionTexts.value.done.sent(name.value.trim()),
    onDone: onClose,
    showsProblems: true,
  })
  const submit = (event: Event) => {
    event.preventDefault()
    isChecked.value = true
    if (isNamed && parsed.isValid && !send.isPending) send.mutate()
  }
  const nameProblem = isChecked.value && !isNamed ? actionTexts.value.nameRequired : undefined
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <form class="stack" onSubmit={submit} noValidate>
        <p>{texts.text}</p>
        {send.error && <ProblemBox error={send.error} />}
        <TextField
          label={texts.name}
          isRequired
          isMono
          value={name.value}
          hint={awaited.length > 0 ? texts.awaited(awaited.join(', ')) : undefined}
          problem={nameProblem ?? problemAt(send.error, '/name')}
          onInput={(value) => (name.value = value)}
        />
        <TextField
          label={texts.payload}
          isMono
          lines={5}
          value={payload.value}
          problem={parsed.isValid ? problemAt(send.error, '/payload') : actionTexts.value.invalidJson}
          onInput={(value) => (payload.value = value)}
        />
        <div class="row dialog-end">
          <Button onClick={onClose}>{frameTexts.value.cancel}</Button>
          <Button type="submit" tone="primary" isBusy={send.isPending}>
            {texts.confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function awaitedSignals(entries: readonly ActivityView[]): string[] {
  const open = entries.filter(({ kind, status }) => kind === 'signal' && status === 'RUNNING')
  return [...new Set(open.map(({ name }) => name))]
}

type Parsed = { readonly isValid: true; readonly value: unknown } | { readonly isValid: false }

function parseJson(text: string): Parsed {
  if (text.trim() === '') return { isValid: true, value: undefined }
  try {
    return { isValid: true, value: JSON.parse(text) as unknown }
  } catch {
    return { isValid: false }
  }
}

function problemAt(error: Error | null, pointer: string): string | undefined {
  return error instanceof Problem ? error.fields.find((field) => field.pointer === pointer)?.message : undefined
}
