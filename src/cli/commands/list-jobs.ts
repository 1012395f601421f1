import type { JobListItem } from '../../service/job-view.ts'
import { type AskingOptions, asking, shownZone } from '../asking.ts'
import { collectPages, queryOf } from '../client/collect-pages.ts'
import { formatAge } from '../print/age.ts'
import { shownJson, shownLine } from '../print/shown-text.ts'
import { statusTone } from '../print/status-tone.ts'
import { type Column, drawTable } from '../print/table.ts'
import { formatWallTime } from '../print/wall-time.ts'
import type { Environment } from '../start-settings.ts'
import type { Terminal } from '../terminal.ts'

export interface ListJobsOptions extends AskingOptions {
  readonly status?: readonly string[]
  readonly type?: string
  readonly priority?: readonly string[]
  readonly tag?: string
  /** Text and tokens, as the dashboard takes them. */
  readonly search?: string
  readonly sort: string
  readonly limit: number
}

/** `pontual jobs`: what there is, in which status, when it fires next and how it went last. */
export async function listJobs(options: ListJobsOptions, environment: Environment, terminal: Terminal): Promise<void> {
  const { status, type, priority, tag, search, sort, limit, json } = options
  const zone = shownZone(options)
  const query = queryOf({ status, jobType: type, priority, tag, q: search, sort, with: 'recent' })
  const page = await asking(options, environment, (connection) =>
    collectPages<JobListItem>(connection, '', query, limit),
  )
  if (json) {
    terminal.write(`${shownJson(page)}\n`)
    return
  }
  if (page.items.length === 0) terminal.note('No jobs are found.\n')
  else terminal.write(drawTable(terminal, columnsIn(zone, terminal.now), page.items))
  if (page.nextCursor !== null) terminal.note(`The first ${limit} are shown: see more with --limit.\n`)
  if (page.items.some(({ isSuspended }) => isSuspended)) {
    terminal.note('Scheduling is switched off for this tenant (JOBS_SCHEDULING): nothing fires, whatever the status.\n')
  }
}

function columnsIn(zone: string, now: number): readonly Column<JobListItem>[] {
  return [
    { title: 'JOB', cell: ({ name }) => shownLine(name), narrowest: 16 },
    { title: 'STATUS', cell: ({ status }) => status, tone: ({ status }) => statusTone(status) },
    { title: 'SCHEDULE', cell: scheduleOf, narrowest: 14, spare: 2 },
    { title: 'NEXT', cell: (job) => ageOf(nextOf(job), now) },
    { title: 'NEXT AT', cell: (job) => wallTimeOf(nextOf(job), zone), spare: 4 },
    {
      title: 'LAST',
      cell: ({ recentExecutions: [last] = [] }) => (last ? `${last.status} ${ageOf(last.createdAt, now)}` : '-'),
      tone: ({ recentExecutions: [last] = [] }) => (last ? statusTone(last.status) : 'dim'),
    },
    { title: 'TYPE', cell: ({ jobType }) => shownLine(jobType), narrowest: 12, spare: 3 },
  ]
}

/** Its cron, or the kind of its trigger. */
function scheduleOf({ cronExpression, timeZone, trigger }: JobListItem): string {
  return shownLine(cronExpression === null ? trigger.type : `${cronExpression} ${timeZone}`)
}

function nextOf({ status, nextExecution, pausedUntil }: JobListItem): string | null {
  return status === 'PAUSED' ? pausedUntil : nextExecution
}

function ageOf(instant: string | null, now: number): string {
  return instant === null ? '-' : formatAge(Date.parse(instant), now)
}

function wallTimeOf(instant: string | null, zone: string): string {
  return instant === null ? '-' : formatWallTime(Date.parse(instant), zone)
}
