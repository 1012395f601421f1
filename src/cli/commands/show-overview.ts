import { weeklyCalendar } from '../../time/calendars/days.ts'
import { type SimulatedJob, type SimulatedPolicy, simulate } from '../../time/simulate.ts'
import { underCalendar } from '../../time/trigger-state.ts'
import { cron } from '../../time/triggers/cron.ts'
import { dailyTimeInterval } from '../../time/triggers/daily-time-interval.ts'
import type { Outage } from '../option-values.ts'
import { drawOutage, LEGEND, POLICY_WIDTH } from '../print/draw-outage.ts'
import { formatAhead, formatWallTime } from '../print/instants.ts'
import { formatTable } from '../print/table.ts'
import type { Terminal } from '../terminal.ts'

const ZONE = 'America/Sao_Paulo'
const NAME_WIDTH = 17

const JOBS: readonly SimulatedJob[] = [
  {
    name: 'import-invoices',
    trigger: cron('0 2 * * *', { timeZone: ZONE }),
    misfire: { policy: 'fireOnce', threshold: '2h' },
  },
  { name: 'refresh-rates', trigger: cron('*/5 * * * *', { timeZone: ZONE }), misfire: { policy: 'skipToNext' } },
  {
    name: 'send-digest',
    trigger: cron('0 9 * * 1-5', { timeZone: ZONE }),
    calendar: weeklyCalendar({ timeZone: ZONE }),
  },
  {
    name: 'poll-orders',
    trigger: dailyTimeInterval({ every: 10, unit: 'minute', from: '08:00', to: '18:00', timeZone: ZONE }),
    misfire: { policy: 'fireAll' },
  },
  { name: 'close-month', trigger: cron('30 23 LW * *', { timeZone: ZONE }) },
]

/** What `pontual` shows without a command: sample jobs, when they fire next, and what an outage until now would do to them. */
export function showOverview(terminal: Terminal): void {
  const { now } = terminal
  const rows = JOBS.map(({ name, trigger, calendar }) => {
    const next = underCalendar(trigger, calendar ?? null).next(now)
    return [
      name,
      trigger.describe(),
      next === null ? 'never' : formatWallTime(next, ZONE),
      next === null ? '' : formatAhead(next, now),
    ]
  })
  terminal.write(
    `Pontual decides when work is due. Sample jobs, in ${ZONE}:\n\n${formatTable(['job', 'fires', 'next', ''], rows)}`,
  )

  const outage = { from: now - 86_400_000, to: now }
  terminal.write(`\nHad nothing fired for the last 24 hours:  ${LEGEND}\n\n`)
  for (const [index, { name, policies }] of simulate({ jobs: JOBS, outage }).entries()) {
    const [job, policy] = [JOBS[index], policies[0]]
    if (job && policy) terminal.write(`${name.padEnd(NAME_WIDTH)}${picture(job, outage, policy, terminal)}\n`)
  }
  terminal.write(`
Try (in a clone with npm start -- in place of npx pontual):
  npx pontual cron explain "0 9 * * 1-5" --zone America/Sao_Paulo --locale pt-BR
  npx pontual dev
  npx pontual simulate --cron "*/10 * * * *" --outage 2026-03-02T10:00:00Z/2026-03-02T12:00:00Z
`)
}

const LATE = 'nothing was missed: what was due is late by less than its threshold'

function wasDue({ trigger, calendar }: SimulatedJob, { from, to }: Outage): boolean {
  const next = underCalendar(trigger, calendar ?? null).next(from)
  return next !== null && next <= to
}

function picture(job: SimulatedJob, outage: Outage, policy: SimulatedPolicy, terminal: Terminal): string {
  if (policy.missed === 0)
    return `${policy.policy.padEnd(POLICY_WIDTH)}${wasDue(job, outage) ? LATE : 'nothing was due'}`
  return drawOutage(job.trigger, outage, policy, { ...terminal, columns: terminal.columns - NAME_WIDTH })
}
