import './upcoming.css'
import { dateAs, zoneName } from '../language/format.ts'
import { inBoth } from '../language/language.ts'
import { clockChange, viewerZone } from '../language/zone.ts'
import { Badge } from './status.tsx'
import { type Column, Table } from './table.tsx'
import { now } from './time.tsx'

const upcomingTexts = inBoth({
  'pt-BR': {
    inZone: (zone: string) => `Job · ${zone}`,
    inYours: (zone: string) => `Você · ${zone}`,
    inBoth: (zone: string) => `Job e você · ${zone}`,
    changed: (change: string) => `Neste dia o relógio muda: ${change}`,
  },
  en: {
    inZone: (zone: string) => `Job · ${zone}`,
    inYours: (zone: string) => `You · ${zone}`,
    inBoth: (zone: string) => `Job and you · ${zone}`,
    changed: (change: string) => `Clocks change on this day: ${change}`,
  },
})

interface UpcomingProps {
  readonly label: string
  readonly times: readonly string[]
  /** That of the job. */
  readonly zone: string
}

/** When something will run, in its own zone and in that of whoever looks; days on which clocks change in its zone are marked. */
export function Upcoming({ label, times, zone }: UpcomingProps) {
  const texts = upcomingTexts.value
  const yours = viewerZone.value
  const columns: Column<string>[] = [
    {
      key: 'zone',
      title: yours === zone ? texts.inBoth(zone) : texts.inZone(zone),
      cell: (at) => (
        <span class="row">
          <Moment at={at} zone={zone} />
          <ClockChange at={at} zone={zone} />
        </span>
      ),
    },
  ]
  if (yours !== zone)
    columns.push({ key: 'yours', title: texts.inYours(yours), cell: (at) => <Moment at={at} zone={yours} /> })
  return (
    <div class="upcoming">
      <Table label={label} columns={columns} rows={times} rowKey={(at) => at} />
    </div>
  )
}

const MOMENT = {
  weekday: 'short',
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const

function Moment({ at, zone }: { readonly at: string; readonly zone: string }) {
  const isThisYear = at.slice(0, 4) === new Date(now.value).toISOString().slice(0, 4)
  return (
    <time dateTime={at} class="number">
      {dateAs(at, isThisYear ? MOMENT : { ...MOMENT, year: 'numeric' }, zone)}{' '}
      <span class="muted">{zoneName(at, zone)}</span>
    </time>
  )
}

/** `+1 h` where clocks go forward on that day, `−1 h` where they go back. */
function ClockChange({ at, zone }: { readonly at: string; readonly zone: string }) {
  const minutes = clockChange(new Date(at).getTime(), zone)
  if (minutes === 0) return null
  const amount = Math.abs(minutes)
  const change = `${minutes > 0 ? '+' : '−'}${amount % 60 === 0 ? `${amount / 60} h` : `${amount} min`}`
  return (
    <span title={upcomingTexts.value.changed(change)}>
      <Badge tone="warn">
        <span class="visually-hidden">{upcomingTexts.value.changed('')}</span>
        {change}
      </Badge>
    </span>
  )
}
