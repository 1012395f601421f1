import { useSignal } from '@preact/signals'
import { ask } from '../../api/ask.ts'
import { useCommand } from '../../api/commands.ts'
import { useAnswer } from '../../api/questions.ts'
import type { CalendarView } from '../../api/wire.ts'
import { Answer, Empty } from '../../parts/answer.tsx'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { Page } from '../../parts/page.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { isAdmin } from '../../session/session.ts'
import { weekdayName } from './calendar-fields.tsx'
import './calendars.css'
import { summaryOf } from './definition.ts'
import { EditCalendar } from './edit-calendar.tsx'
import { calendarTexts } from './texts.ts'

/** Times when nothing fires. */
export function Calendars() {
  const texts = calendarTexts.value
  const calendars = useAnswer<{ readonly items: readonly CalendarView[] }>('jobs/calendars')
  const edited = useSignal<CalendarView | 'new' | null>(null)
  const removed = useSignal<CalendarView | null>(null)
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      actions={
        isAdmin() && (
          <Button tone="primary" icon="plus" onClick={() => (edited.value = 'new')}>
            {texts.create}
          </Button>
        )
      }
    >
      <Answer query={calendars}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon="calendar" title={texts.none} />
          ) : (
            <div class="section">
              <Table
                label={texts.title}
                rows={items}
                rowKey={({ name }) => name}
                columns={columns({
                  onEdit: (each) => (edited.value = each),
                  onRemove: (each) => (removed.value = each),
                })}
              />
            </div>
          )
        }
      </Answer>
      {edited.value !== null && (
        <EditCalendar calendar={edited.value === 'new' ? null : edited.value} onClose={() => (edited.value = null)} />
      )}
      {removed.value && <RemoveCalendar name={removed.value.name} onClose={() => (removed.value = null)} />}
    </Page>
  )
}

interface Verbs {
  readonly onEdit: (calendar: CalendarView) => void
  readonly onRemove: (calendar: CalendarView) => void
}

function columns({ onEdit, onRemove }: Verbs): readonly Column<CalendarView>[] {
  const texts = calendarTexts.value
  return [
    { key: 'name', title: texts.name, cell: ({ name }) => <strong>{name}</strong> },
    { key: 'kind', title: texts.kind, cell: ({ definition }) => texts.kinds[definition.type] },
    { key: 'summary', title: texts.summary, cell: ({ definition }) => summaryOf(definition, weekdayName) },
    {
      key: 'verbs',
      title: <span class="visually-hidden">{texts.edit('')}</span>,
      width: 'narrow',
      cell: (calendar) =>
        isAdmin() && (
          <span class="row calendar-verbs">
            <Button
              isSmall
              tone="quiet"
              icon="edit"
              label={texts.edit(calendar.name)}
              onClick={() => onEdit(calendar)}
            />
            <Button
              isSmall
              tone="danger"
              icon="trash"
              label={texts.remove(calendar.name)}
              onClick={() => onRemove(calendar)}
            />
          </span>
        ),
    },
  ]
}

function RemoveCalendar({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const texts = calendarTexts.value
  const remove = useCommand({
    run: () => ask(`jobs/calendars/${encodeURIComponent(name)}`, { method: 'DELETE' }),
    done: texts.deleted,
    onDone: onClose,
  })
  return (
    <Confirm
      title={texts.remove(name)}
      confirm={texts.remove(name)}
      isDanger
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{texts.confirmRemove}</p>
    </Confirm>
  )
}
