import { Link } from 'wouter-preact'
import type { AgendaItemView, AgendaView } from '../../api/wire.ts'
import { number, timeOfDay, zoneName } from '../../language/format.ts'
import { viewerZone } from '../../language/zone.ts'
import { Empty } from '../../parts/answer.tsx'
import { Table } from '../../parts/table.tsx'
import { countByHour, fullLoad, loadLevel } from './agenda.ts'
import { type Day, hourOf } from './days.ts'
import { agendaTexts } from './texts.ts'

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

/** One day: every hour with what fires in it. */
export function DayView({ day, agenda }: { readonly day: Day; readonly agenda: AgendaView }) {
  const texts = agendaTexts.value
  const zone = viewerZone.value
  const counts = countByHour(agenda.buckets, zone)
  const full = fullLoad([...counts.values()])
  const busy = HOURS.filter((hour) => (counts.get(`${day} ${hour}`) ?? 0) > 0)
  if (busy.length === 0) return <Empty icon="calendar" title={texts.none} />
  return (
    <ol class="hours">
      {busy.map((hour) => {
        const count = counts.get(`${day} ${hour}`) ?? 0
        return (
          <li key={hour} class="hour">
            <h3>
              {String(hour).padStart(2, '0')}:00{' '}
              <span class={`hour-count load-${loadLevel(count, full)}`}>{texts.fires(number(count), count === 1)}</span>
            </h3>
            <Fires fires={agenda.items.filter(({ at }) => hourOf(Date.parse(at), zone) === hour)} count={count} />
          </li>
        )
      })}
    </ol>
  )
}

/** Fires one by one, and how many more there are. */
export function Fires({ fires, count }: { readonly fires: readonly AgendaItemView[]; readonly count: number }) {
  const texts = agendaTexts.value
  return (
    <>
      {fires.length > 0 && (
        <Table
          label={texts.title}
          rows={fires}
          rowKey={({ jobId, at }) => `${jobId} ${at}`}
          columns={[
            {
              key: 'at',
              title: texts.time,
              width: 'narrow',
              cell: ({ at }) => (
                <time dateTime={at}>
                  {timeOfDay(at, { hasSeconds: true })} {zoneName(at)}
                </time>
              ),
            },
            { key: 'job', title: texts.job, cell: ({ jobId, name }) => <Link href={`/${jobId}`}>{name}</Link> },
          ]}
        />
      )}
      {count > fires.length && <p class="muted">{texts.more(number(count - fires.length))}</p>}
    </>
  )
}
