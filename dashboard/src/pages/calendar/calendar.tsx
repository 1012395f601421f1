import { withParameters } from '../../api/ask.ts'
import { useAnswer } from '../../api/questions.ts'
import type { AgendaView } from '../../api/wire.ts'
import { useUrlState } from '../../frame/url-state.ts'
import { dateAs } from '../../language/format.ts'
import { viewerZone } from '../../language/zone.ts'
import { Answer } from '../../parts/answer.tsx'
import { Button } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Page } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import './calendar.css'
import { DayView } from './day-view.tsx'
import { addDays, addMonths, type Day, dayOf, isDay, monthOf, startOfDay, weekOf } from './days.ts'
import { LoadView } from './load-view.tsx'
import { MonthView } from './month-view.tsx'
import { agendaTexts } from './texts.ts'
import { WeekView } from './week-view.tsx'

const VIEWS = ['month', 'week', 'day', 'load'] as const
type View = (typeof VIEWS)[number]

const BUCKET_MINUTES = 15

/** When all jobs are going to fire. */
export function CalendarPage() {
  const texts = agendaTexts.value
  const zone = viewerZone.value
  const [parameters, setParameters] = useUrlState()
  const view = VIEWS.find((each) => each === parameters.get('view')) ?? 'month'
  const asked = parameters.get('date')
  const today = dayOf(Date.now(), zone)
  const day = isDay(asked) ? asked : today
  const days = daysOf(view, day)
  const agenda = useAnswer<AgendaView>(
    withParameters('jobs/agenda', {
      from: startOfDay(days[0] ?? day, zone),
      to: startOfDay(addDays(days.at(-1) ?? day, 1), zone),
      bucketMinutes: BUCKET_MINUTES,
    }),
    { isLive: false, keepsLast: true },
  )
  const go = (date: Day, to: View = view) => setParameters({ view: to, date }, { isStep: true })
  return (
    <Page
      title={texts.title}
      lead={texts.lead(zone)}
      actions={
        <>
          <Button icon="left" label={texts.previous} onClick={() => go(moved(view, day, -1))} />
          <Button isDisabled={day === today} onClick={() => go(today)}>
            {texts.today}
          </Button>
          <Button icon="right" label={texts.next} onClick={() => go(moved(view, day, 1))} />
        </>
      }
    >
      <Tabs
        label={texts.view}
        chosen={view}
        tabs={VIEWS.map((key) => ({ key, name: texts.views[key] }))}
        onChoose={(chosen) => go(day, chosen)}
      />
      <h2 aria-live="polite">{rangeName(view, day, days)}</h2>
      <Answer query={agenda} lines={8}>
        {(found) => (
          <>
            {found.isSuspended && <Warning text={texts.suspended} />}
            {found.isPartial && <Warning text={texts.partial} />}
            {view === 'month' && <MonthView day={day} today={today} agenda={found} onGo={(date) => go(date, 'day')} />}
            {view === 'week' && <WeekView days={days} today={today} agenda={found} onGo={(date) => go(date, 'day')} />}
            {view === 'day' && <DayView day={day} agenda={found} />}
            {view === 'load' && <LoadView day={day} agenda={found} />}
          </>
        )}
      </Answer>
    </Page>
  )
}

function Warning({ text }: { readonly text: string }) {
  return (
    <p class="agenda-warning" role="status">
      <Icon name="warning" /> {text}
    </p>
  )
}

function daysOf(view: View, day: Day): Day[] {
  if (view === 'month') return monthOf(day).flat()
  return view === 'week' ? weekOf(day) : [day]
}

function moved(view: View, day: Day, by: number): Day {
  if (view === 'month') return addMonths(day, by)
  return addDays(day, view === 'week' ? by * 7 : by)
}

/** A day is the same in every zone: it is named as one of UTC. */
function rangeName(view: View, day: Day, days: readonly Day[]): string {
  if (view === 'month') return dateAs(day, { month: 'long', year: 'numeric' }, 'UTC')
  const full = { day: 'numeric', month: 'long', year: 'numeric' } as const
  if (view === 'week') return `${dateAs(days[0] ?? day, full, 'UTC')} – ${dateAs(days.at(-1) ?? day, full, 'UTC')}`
  return dateAs(day, { weekday: 'long', ...full }, 'UTC')
}
