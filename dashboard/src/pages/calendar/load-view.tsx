import { useSignal } from '@preact/signals'
import { withParameters } from '../../api/ask.ts'
import { useAnswer } from '../../api/questions.ts'
import type { AgendaView } from '../../api/wire.ts'
import { number, timeOfDay } from '../../language/format.ts'
import { viewerZone } from '../../language/zone.ts'
import { Answer, Empty } from '../../parts/answer.tsx'
import { Section } from '../../parts/page.tsx'
import { ScrollFrame } from '../../parts/scroll-frame.tsx'
import { fullLoad, loadLevel } from './agenda.ts'
import { Fires } from './day-view.tsx'
import { addDays, type Day, startOfDay } from './days.ts'
import { Legend } from './legend.tsx'
import { agendaTexts } from './texts.ts'

const QUARTER_MS = 900_000
const QUARTERS_AN_HOUR = 4

/** One day by quarters of an hour: where everything piles up. */
export function LoadView({ day, agenda }: { readonly day: Day; readonly agenda: AgendaView }) {
  const texts = agendaTexts.value
  const chosen = useSignal<number | null>(null)
  const counts = new Map(agenda.buckets.map(({ at, count }) => [Date.parse(at), count]))
  const full = fullLoad([...counts.values()])
  const busiest = agenda.buckets.reduce<AgendaView['buckets'][number] | null>(
    (top, each) => (top && top.count >= each.count ? top : each),
    null,
  )
  if (busiest === null) return <Empty icon="calendar" title={texts.none} />
  const hours = hoursOf(day)
  return (
    <>
      <p>{texts.busiest(number(busiest.count), timeOfDay(busiest.at))}</p>
      <ScrollFrame class="heat-frame" label={agendaTexts.value.title}>
        <table class="heat load">
          <thead>
            <tr>
              <th scope="col">{texts.hour}</th>
              {['00', '15', '30', '45'].map((minute) => (
                <th key={minute} scope="col">
                  {texts.minute(minute)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {hours.map((hour) => (
              <tr key={hour}>
                <th scope="row">{timeOfDay(hour)}</th>
                {Array.from({ length: QUARTERS_AN_HOUR }, (_, at) => hour + at * QUARTER_MS).map((quarter) => {
                  const count = counts.get(quarter) ?? 0
                  return (
                    <td key={quarter} class={`load-${loadLevel(count, full)}`}>
                      {count > 0 && (
                        <button
                          type="button"
                          aria-label={`${timeOfDay(quarter)}: ${texts.fires(number(count), count === 1)}`}
                          aria-pressed={chosen.value === quarter}
                          onClick={() => (chosen.value = quarter)}
                        >
                          {number(count)}
                        </button>
                      )}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollFrame>
      <Legend />
      {chosen.value !== null && <Quarter at={chosen.value} />}
    </>
  )
}

/** A day has 23, 24 or 25 hours. */
function hoursOf(day: Day): number[] {
  const zone = viewerZone.value
  const [from, to] = [day, addDays(day, 1)].map((each) => Date.parse(startOfDay(each, zone)))
  const hours: number[] = []
  for (let at = from ?? 0; at < (to ?? 0); at += QUARTER_MS * QUARTERS_AN_HOUR) hours.push(at)
  return hours
}

/** What fires in a quarter of an hour. */
function Quarter({ at }: { readonly at: number }) {
  const texts = agendaTexts.value
  const agenda = useAnswer<AgendaView>(
    withParameters('jobs/agenda', {
      from: new Date(at).toISOString(),
      to: new Date(at + QUARTER_MS).toISOString(),
      bucketMinutes: 15,
    }),
    { isLive: false },
  )
  return (
    <Section title={texts.inQuarter(timeOfDay(at), timeOfDay(at + QUARTER_MS))}>
      <Answer query={agenda}>
        {({ items, buckets }) => <Fires fires={items} count={buckets.reduce((sum, { count }) => sum + count, 0)} />}
      </Answer>
    </Section>
  )
}
