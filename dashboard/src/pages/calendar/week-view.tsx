import type { AgendaView } from '../../api/wire.ts'
import { dateAs, number } from '../../language/format.ts'
import { viewerZone } from '../../language/zone.ts'
import { ScrollFrame } from '../../parts/scroll-frame.tsx'
import { countByHour, fullLoad, loadLevel } from './agenda.ts'
import type { Day } from './days.ts'
import { Legend } from './legend.tsx'
import { agendaTexts } from './texts.ts'

interface WeekViewProps {
  readonly days: readonly Day[]
  readonly today: Day
  readonly agenda: AgendaView
  readonly onGo: (day: Day) => void
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

/** A week, hour by hour. */
export function WeekView({ days, today, agenda, onGo }: WeekViewProps) {
  const counts = countByHour(agenda.buckets, viewerZone.value)
  const full = fullLoad([...counts.values()])
  return (
    <>
      <ScrollFrame class="heat-frame" label={agendaTexts.value.title}>
        <table class="heat">
          <thead>
            <tr>
              <th scope="col">{agendaTexts.value.hour}</th>
              {days.map((day) => (
                <th key={day} scope="col" aria-current={day === today ? 'date' : undefined}>
                  <button type="button" class="sort" onClick={() => onGo(day)}>
                    {dateAs(day, { weekday: 'short', day: 'numeric' }, 'UTC')}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {HOURS.map((hour) => (
              <tr key={hour}>
                <th scope="row">{String(hour).padStart(2, '0')}:00</th>
                {days.map((day) => {
                  const count = counts.get(`${day} ${hour}`) ?? 0
                  return (
                    <td key={day} class={`load-${loadLevel(count, full)}`}>
                      {count === 0 ? <span class="visually-hidden">0</span> : number(count)}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollFrame>
      <Legend />
    </>
  )
}
