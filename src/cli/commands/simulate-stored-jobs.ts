import type { SimulatedPolicyView, SimulationView } from '../../service/overview/simulation-view.ts'
import { formatInstant } from '../../time/instant.ts'
import { type AskingOptions, asking, shownZone } from '../asking.ts'
import type { Connection } from '../client/connection.ts'
import { type Outage, readOutage } from '../option-values.ts'
import { createProgress, type Progress } from '../print/executions.ts'
import { formatSpan, formatWallTime } from '../print/instants.ts'
import { drawTable } from '../print/table.ts'
import { shownJson, shownLine } from '../print/text.ts'
import type { Environment } from '../start-settings.ts'
import type { Terminal } from '../terminal.ts'

export interface SimulateStoredOptions extends AskingOptions {
  readonly outage: string
  /** To be shown in place of each job's own. */
  readonly policy?: readonly string[]
}

type SimulatedJob = SimulationView['jobs'][number]
type Simulation = Pick<SimulationView, 'jobs' | 'tooLong'>

/** `pontual simulate` without an expression: what the jobs of a service would do after an outage. */
export async function simulateStoredJobs(
  options: SimulateStoredOptions,
  environment: Environment,
  terminal: Terminal,
): Promise<void> {
  const outage = readOutage(options.outage, terminal.now)
  const progress = createProgress(terminal, options)
  const found = await asking(options, environment, (connection) => simulateAll(connection, outage, progress)).finally(
    () => progress.end(),
  )
  if (options.json) {
    const wire = { from: formatInstant(outage.from), to: formatInstant(outage.to) }
    terminal.write(`${shownJson({ outage: wire, ...found })}\n`)
  } else terminal.write(tell(found, outage, options, terminal))
}

/** All of them, a page at a time. */
async function simulateAll(connection: Connection, { from, to }: Outage, progress: Progress): Promise<Simulation> {
  const [jobs, tooLong]: [SimulatedJob[], SimulationView['tooLong'][number][]] = [[], []]
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const question = { from: formatInstant(from), to: formatInstant(to), ...(cursor !== undefined && { cursor }) }
    const page: SimulationView = await connection.ask<SimulationView>('POST', '/simulate', question)
    jobs.push(...page.jobs)
    tooLong.push(...page.tooLong)
    cursor = page.nextCursor
    progress.report(`${jobs.length} jobs are simulated`)
  }
  return { jobs, tooLong }
}

interface Row {
  readonly job: SimulatedJob
  readonly policy: string
  readonly result: SimulatedPolicyView
}

function tell(
  { jobs, tooLong }: Simulation,
  outage: Outage,
  options: SimulateStoredOptions,
  terminal: Terminal,
): string {
  const zone = shownZone(options)
  const when = `from ${formatWallTime(outage.from, zone)} to ${formatWallTime(outage.to, zone)}, ${formatSpan(outage.to - outage.from)}`
  const affected = jobs.filter(({ missed }) => missed > 0)
  const rows = affected.flatMap((job) =>
    (options.policy ?? [job.policy]).flatMap((policy): Row[] => {
      const result = job.policies[policy]
      return result === undefined ? [] : [{ job, policy, result }]
    }),
  )
  const untouched = jobs.length - affected.length
  return [
    `Had nothing fired ${when}:\n\n`,
    rows.length === 0 ? '' : `${table(rows, outage, zone, terminal)}\n${terminal.tone(LEGEND, 'dim')}\n`,
    untouched === 0 ? '' : `${untouched} ${untouched === 1 ? 'job' : 'jobs'} would have missed nothing.\n`,
    tooLong.length === 0
      ? ''
      : `Too long to work out, to be asked about a shorter outage: ${tooLong.map(({ name }) => shownLine(name)).join(', ')}.\n`,
    jobs.length === 0 && tooLong.length === 0 ? 'There is no job that fires by itself.\n' : '',
  ].join('')
}

const LEGEND = '. missed   # runs when it is over'

function table(rows: readonly Row[], outage: Outage, zone: string, terminal: Terminal): string {
  const number = (value: (row: Row) => number, title: string, spare?: number) => ({
    title,
    isRight: true,
    spare,
    cell: (row: Row) => String(value(row)),
  })
  return drawTable<Row>(
    terminal,
    [
      { title: 'job', cell: ({ job }) => shownLine(job.name), narrowest: 12 },
      { title: 'policy', cell: ({ policy }) => policy },
      {
        title: 'outage',
        cell: (row) => picture(row, outage),
        tone: ({ result }) => (result.executions > 0 ? 'good' : 'warn'),
        spare: 3,
      },
      number(({ job }) => job.missed, 'missed'),
      number(({ result }) => result.executions, 'runs'),
      number(({ result }) => result.consolidated, 'consolidated', 2),
      number(({ result }) => result.skipped, 'skipped', 2),
      number(({ result }) => result.dropped, 'dropped', 2),
      {
        title: 'next',
        cell: ({ result }) =>
          result.nextExecution === null ? 'never' : formatWallTime(Date.parse(result.nextExecution), zone),
        spare: 1,
      },
    ],
    rows,
  )
}

const PICTURE = 30

/** The outage from its beginning to its end, with what was missed; a service names the first hundred of these. */
function picture({ job, result }: Row, { from, to }: Outage): string {
  const step = Math.max(1, to - from) / PICTURE
  const marks = Array.from({ length: PICTURE }, () => ' ')
  for (const at of job.missedAt) marks[Math.min(PICTURE - 1, Math.floor((Date.parse(at) - from) / step))] = '.'
  if (job.missed > job.missedAt.length) {
    const last = Math.floor((Date.parse(job.missedAt.at(-1) ?? '') - from) / step)
    marks.fill('.', Math.max(0, last))
  }
  return `[${marks.join('')}]${result.executions > 0 ? '#' : ' '}`
}
