import { useSignal } from '@preact/signals'
import type { CalendarJson } from '../../../../src/time/calendars/json.ts'
import { ask } from '../../api/ask.ts'
import { useCommand } from '../../api/commands.ts'
import type { CalendarView } from '../../api/wire.ts'
import { frameTexts } from '../../frame/texts.ts'
import { ProblemBox } from '../../parts/answer.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { CalendarFields } from './calendar-fields.tsx'
import { CalendarPreview } from './calendar-preview.tsx'
import { begunAs } from './definition.ts'
import { calendarTexts } from './texts.ts'

interface EditCalendarProps {
  /** null: a new one. */
  readonly calendar: CalendarView | null
  readonly onClose: () => void
}

/** Changes a calendar, as a form or as JSON; what would fire otherwise is seen before it is saved. */
export function EditCalendar({ calendar, onClose }: EditCalendarProps) {
  const texts = calendarTexts.value
  const name = useSignal(calendar?.name ?? '')
  const definition = useSignal<CalendarJson>(calendar?.definition ?? begunAs('holiday', null))
  const way = useSignal<'form' | 'json'>('form')
  const json = useSignal('')
  const jsonProblem = useSignal<string | undefined>(undefined)
  const nameProblem = useSignal<string | undefined>(undefined)
  const save = useCommand({
    run: () =>
      ask<CalendarView>(`jobs/calendars/${encodeURIComponent(name.value.trim())}`, {
        method: 'PUT',
        body: { definition: definition.value },
      }),
    done: texts.saved,
    showsProblems: true,
    onDone: onClose,
  })
  const choose = (chosen: 'form' | 'json') => {
    if (chosen === 'json') json.value = JSON.stringify(definition.value, null, 2)
    jsonProblem.value = undefined
    way.value = chosen
  }
  const typeJson = (text: string) => {
    json.value = text
    try {
      definition.value = JSON.parse(text) as CalendarJson
      jsonProblem.value = undefined
    } catch {
      jsonProblem.value = texts.jsonInvalid
    }
  }
  const submit = () => {
    nameProblem.value = name.value.trim() === '' ? texts.nameRequired : undefined
    if (nameProblem.value === undefined && jsonProblem.value === undefined) save.mutate()
  }
  return (
    <Dialog
      title={calendar === null ? texts.create : texts.edit(calendar.name)}
      size="large"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{frameTexts.value.cancel}</Button>
          <Button tone="primary" isBusy={save.isPending} onClick={submit}>
            {frameTexts.value.save}
          </Button>
        </>
      }
    >
      {calendar === null && (
        <TextField
          label={texts.name}
          isRequired
          value={name.value}
          problem={nameProblem.value}
          onInput={(value) => (name.value = value)}
        />
      )}
      <Tabs
        label={texts.editAs}
        chosen={way.value}
        tabs={(['form', 'json'] as const).map((key) => ({ key, name: texts[key] }))}
        onChoose={choose}
      />
      {way.value === 'form' ? (
        <CalendarFields definition={definition.value} onChange={(changed) => (definition.value = changed)} />
      ) : (
        <TextField
          label={texts.json}
          lines={12}
          isMono
          value={json.value}
          problem={jsonProblem.value}
          onInput={typeJson}
        />
      )}
      {save.error && <ProblemBox error={save.error} />}
      {calendar !== null && <CalendarPreview name={calendar.name} definition={definition.value} />}
    </Dialog>
  )
}
