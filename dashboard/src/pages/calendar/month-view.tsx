import type { AgendaItemView, AgendaView } from '../../api/wire.ts'
import { dateAs, number } from '../../language/format.ts'
import { clockChange, viewerZone } from '../../language/zone.ts'
import { countByDay, fullLoad, loadLevel } from './agenda.ts'
import { type Day, dayOf, monthOf, startOfDay, weekOf } from './days.ts'
import { agendaTexts } from './texts.ts'

interface MonthViewProps {
  readonly day: Day
  readonly today: Day
  readonly agenda: AgendaView
  readonly onGo: (day: Day) => void
}

const NOON_MS = 43_200_000
const SHOWN_NAMES = 3

/** A month: how much fires on each day, and what, where that is little. */
export function MonthView({ day, today, agenda, onGo }: MonthViewProps) {
  const zone = viewerZone.value
  const counts = countByDay(agenda.buckets, zone)
  const names = namesByDay(agenda, zone)
  const full = fullLoad([...counts.values()])
  return (
    <table class="month">
      <thead>
        <tr>
          {weekOf(day).map((each) => (
            <th key={each} scope="col">
              <abbr title={dateAs(each, { weekday: 'long' }, 'UTC')}>{dateAs(each, { weekday: 'short' }, 'UTC')}</abbr>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {monthOf(day).map((week) => (
          <tr key={week[0]}>
            {week.map((each) => (
              <td key={each} class={each.slice(0, 7) === day.slice(0, 7) ? '' : 'outside'}>
                <DayCell
                  day={each}
                  isToday={each === today}
                  count={counts.get(each) ?? 0}
                  full={full}
                  names={names.get(each) ?? []}
                  onGo={onGo}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface DayCellProps {
  readonly day: Day
  readonly isToday: boolean
  readonly count: number
  readonly full: number
  readonly names: readonly string[]
  readonly onGo: (day: Day) => void
}

function DayCell({ day, isToday, count, full, names, onGo }: DayCellProps) {
  const texts = agendaTexts.value
  const change = clockChange(Date.parse(startOfDay(day, viewerZone.value)) + NOON_MS, viewerZone.value)
  return (
    <button
      type="button"
      class={`day load-${loadLevel(count, full)}`}
      aria-current={isToday ? 'date' : undefined}
      onClick={() => onGo(day)}
    >
      <span class="day-number">
        <span class="visually-hidden">{dateAs(day, { month: 'long' }, 'UTC')} </span>
        {Number(day.slice(8))}
      </span>
      <span class={count === 0 ? 'visually-hidden' : 'day-count'}>
        {number(count)} <span class="visually-hidden">{texts.unit(count === 1)}</span>
      </span>
      {change !== 0 && <span class="day-change">{texts.clockChange(change)}</span>}
      {names.slice(0, SHOWN_NAMES).map((name) => (
        <span key={name} class="day-name">
          {name}
        </span>
      ))}
    </button>
  )
}

/** The jobs that fire on each day; only where all of them are known, as half a list would mislead. */
function namesByDay({ items, buckets }: AgendaView, zone: string): Map<Day, string[]> {
  const total = buckets.reduce((sum, { count }) => sum + count, 0)
  const names = new Map<Day, string[]>()
  if (items.length < total) return names
  for (const { at, name } of items satisfies readonly AgendaItemView[]) {
    const day = dayOf(Date.parse(at), zone)
    const known = names.get(day) ?? []
    if (!known.includes(name)) names.set(day, [...known, name])
  }
  return names
}
