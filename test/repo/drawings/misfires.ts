import { cron, type MisfirePolicyName, type SimulatedPolicy, simulate } from '../../../src/time.ts'
import { drawTimeline, type Mark, type Row } from './timeline.ts'

const everyMinute = cron('* * * * *')
const at = (time: string) => Date.parse(`2026-03-02T${time}Z`)
const clock = (instant: number) => new Date(instant).toISOString().slice(11, 16)
const minutes = (from: string, count: number) =>
  Array.from({ length: count }, (_, index) => at(from) + index * 60_000).map((instant) => ({
    at: instant,
    label: clock(instant),
  }))

/** What each policy makes of the same outage. */
export function drawPolicies(): string {
  const outage = { from: at('10:00:30'), to: at('10:10:30') }
  const period = { from: at('09:58:30'), to: at('10:13:30') }
  const policies: MisfirePolicyName[] = ['fireNow', 'fireOnce', 'fireAll', 'skipToNext']
  const results = simulate({ jobs: [{ name: 'job', trigger: everyMinute }], outage, policies })[0]?.policies ?? []
  return drawTimeline({
    title: 'Every minute; nothing fires from 10:00:30 to 10:10:30',
    description: results.map((result) => `${result.policy}: ${noteOf(result)}.`).join(' '),
    ...period,
    ticks: minutes('09:59:00', 15).filter((_, index) => index % 2 === 1),
    bands: [{ ...outage, label: 'outage' }],
    rows: results.map((result) => rowOf(result.policy, result, outage.from, period)),
    kinds: ['onTime', 'firedLate', 'lateRun', 'consolidated', 'skipped'],
  })
}

/** What the threshold of a minute makes of three outages. */
export function drawThreshold(): string {
  const from = at('10:00:30')
  const period = { from: at('09:59:30'), to: at('10:04:30') }
  const rows = ['10:01:30', '10:02:00', '10:02:30'].map((end): Row => {
    const to = at(end)
    const jobs = [{ name: 'job', trigger: everyMinute, misfire: { policy: 'skipToNext' as const } }]
    const result = simulate({ jobs, outage: { from, to } })[0]?.policies[0]
    if (!result) throw new Error('Nothing was simulated.')
    return { ...rowOf(`back at ${end}`, result, from, period), shaded: { from, to } }
  })
  return drawTimeline({
    title: 'Every minute, skipToNext, a threshold of one minute',
    description: rows.map(({ label, note }) => `${label}: ${note}.`).join(' '),
    ...period,
    ticks: minutes('10:00:00', 5),
    bands: [],
    rows,
    kinds: ['onTime', 'skipped'],
  })
}

function rowOf(label: string, result: SimulatedPolicy, outageFrom: number, period: { from: number; to: number }): Row {
  const before = [...everyMinute.between(period.from, outageFrom)]
  const after = result.nextFireAt === null ? [] : [...everyMinute.between(result.nextFireAt, period.to)]
  const marks: Mark[] = [...before, ...after].map((instant) => ({ at: instant, kind: 'onTime' }))
  for (const { scheduledAt, runAt, misfire } of result.fired) {
    if (misfire) marks.push({ at: scheduledAt, kind: 'firedLate', runsAt: runAt }, { at: runAt, kind: 'lateRun' })
    else marks.push({ at: scheduledAt, kind: 'onTime' })
  }
  for (const { from, to, decision } of result.ledger) {
    if (decision !== 'consolidated' && decision !== 'skipped') continue
    for (const instant of everyMinute.between(from, to + 1)) marks.push({ at: instant, kind: decision })
  }
  return { label, marks, note: noteOf(result) }
}

function noteOf({ fired, firedLate, consolidated, skipped }: SimulatedPolicy): string {
  const stamps = fired.map(({ scheduledAt }) => clock(scheduledAt))
  if (skipped > 0) return `no run, ${skipped} skipped`
  if (firedLate === 0) return `${stamps.join(' and ')} ${stamps.length > 1 ? 'fire' : 'fires'} as if on time`
  if (fired.length === 1) return `1 run, stamped ${stamps[0]}; ${consolidated} consolidated`
  return `${fired.length} runs, oldest first, each its own`
}
