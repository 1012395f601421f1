import { type JobFieldName, STORED_NAMES } from '../../job/job-fields.ts'
import type { JobMore, OccurrenceView } from '../../service/answers.ts'
import { jobFields } from '../../service/i18n/en/job-fields.ts'
import type { ApprovalView, NextExecutionView } from '../../service/job-knowledge.ts'
import type { JobListItem, JobView } from '../../service/job-view.ts'
import { formatInstant } from '../../time/instant.ts'
import { type AskingOptions, asking, collectPages, queryOf, shownZone } from '../asking.ts'
import { findJob } from '../client/find.ts'
import { readMoment } from '../option-values.ts'
import { drawExecutions, statusTone } from '../print/executions.ts'
import { formatAge, formatTook, formatWallTime } from '../print/instants.ts'
import { type Column, drawFields, drawTable, shownValue } from '../print/table.ts'
import { shellWord, shownJson, shownLine, shownText } from '../print/text.ts'
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

type Job = JobView & JobMore

/** Fields that are printed in words of their own. */
const PLACED: ReadonlySet<JobFieldName> = new Set<JobFieldName>([
  'name',
  'description',
  'calendar',
  'misfirePolicy',
  'misfireThresholdSeconds',
  'priority',
  'retryCount',
  'timeoutMinutes',
  'overlap',
  'requiresTwoStepExecution',
  'tags',
])
const OTHERS = STORED_NAMES.filter((name) => !PLACED.has(name))

/** How many of its next times are told. */
const UPCOMING = 3

/** `pontual jobs show`: one job with its schedule, how it has been doing, and what waits for somebody's yes. */
export async function showJob(
  named: string,
  options: AskingOptions,
  environment: Environment,
  terminal: Terminal,
): Promise<void> {
  const zone = shownZone(options)
  const { job, next, approval } = await asking(options, environment, async (connection) => {
    const { id } = await findJob(connection, named)
    const [job, next] = await Promise.all([
      connection.ask<Job>('GET', `/${id}`),
      connection.ask<NextExecutionView>('GET', `/${id}/nextExecution`),
    ])
    const isPending = job.status === 'PENDING_APPROVAL'
    const approval = isPending ? await connection.ask<ApprovalView>('GET', `/${id}/approval`) : null
    return { job, next, approval }
  })
  if (options.json) {
    terminal.write(`${shownJson({ ...job, next, approval })}\n`)
    return
  }
  terminal.write(drawJob(terminal, job, next, zone))
  if (approval) terminal.write(drawApproval(terminal, job, approval))
  if (job.lastExecutions.length > 0) terminal.write(`\n${drawExecutions(terminal, job.lastExecutions, zone)}`)
}

function drawJob(terminal: Terminal, job: Job, next: NextExecutionView, zone: string): string {
  const { now } = terminal
  const at = (instant: string) =>
    `${formatWallTime(Date.parse(instant), zone)} (${formatAge(Date.parse(instant), now)})`
  const tone = statusTone(job.status)
  const reason = job.statusReason === null ? '' : `: ${shownLine(job.statusReason)}`
  const until = job.pausedUntil === null ? '' : `, until ${at(job.pausedUntil)}`
  const suspended = job.isSuspended ? '; scheduling is switched off for this tenant' : ''
  const title = terminal.tone(shownLine(job.name), 'strong')
  return `${title}\n${drawFields(terminal, [
    ['about', job.description === null ? null : shownText(job.description)],
    ['status', `${tone === null ? job.status : terminal.tone(job.status, tone)}${reason}${until}${suspended}`],
    ['schedule', shownLine(`${job.cronExpression ?? job.trigger.type}, ${job.timeZone}: ${next.description}`)],
    ['calendar', job.calendar === null ? null : shownLine(job.calendar)],
    ['next', next.upcoming.length === 0 ? 'never, as it stands' : next.upcoming.slice(0, UPCOMING).map(at).join('\n')],
    ['misfires', `${shownLine(job.misfirePolicy)}, after ${job.misfireThresholdSeconds} s`],
    ['type', shownLine(job.jobType)],
    ['priority', job.priority],
    ['retries', String(job.retryCount)],
    ['timeout', job.timeoutMinutes === null ? 'none' : `${job.timeoutMinutes} min`],
    ['payload', shownValue(job.payload, job.payloadError)],
    ['tags', job.tags.length === 0 ? null : shownLine(job.tags.join(', '))],
    ...OTHERS.map((name) => [jobFields[name].label.toLowerCase(), otherValue(job[name])] as const),
    ['90 days', statisticsOf(job, at)],
    ['version', String(job.version)],
    ['id', job.id],
  ])}`
}

function otherValue(value: unknown): string | null {
  return typeof value === 'string' ? shownLine(value) : shownValue(value)
}

function statisticsOf({ statistics }: Job, at: (instant: string) => string): string {
  const { totalExecutions, succeeded, failed, timedOut, cancelled, p50DurationMs, p95DurationMs, lastFailure } =
    statistics
  if (totalExecutions === 0) return 'it has not run'
  const counts = `${totalExecutions} ${totalExecutions === 1 ? 'run' : 'runs'}: ${succeeded} succeeded, ${failed} failed, ${timedOut} timed out, ${cancelled} cancelled`
  const took =
    p50DurationMs === null || p95DurationMs === null
      ? ''
      : `\nhalf of them take up to ${formatTook(p50DurationMs)}, 95 % up to ${formatTook(p95DurationMs)}`
  const last =
    lastFailure === null ? '' : `\nlast failure ${at(lastFailure.at)}: ${shownLine(lastFailure.errorMessage ?? '')}`
  return `${counts}${took}${last}`
}

/** What a second person would say yes to, and how. */
function drawApproval(terminal: Terminal, job: Job, approval: ApprovalView): string {
  const by = approval.requestedBy === null ? '' : `, asked for by ${shownLine(approval.requestedBy)}`
  const changes = approval.changes.map(({ field, approved, current, isApprovedKnown }) => {
    const before = approval.isFirst ? '' : `${isApprovedKnown ? (shownValue(approved) ?? 'nothing') : '(not kept)'} → `
    return [shownLine(field), `${before}${shownValue(current) ?? 'nothing'}`] as const
  })
  const word = shellWord(job.name)
  return `\nIt waits for a second person's yes${by}:\n${drawFields(terminal, changes)}
  pontual approve ${word} --if-version ${job.version}
  pontual reject ${word} --if-version ${job.version} --comment '…'
`
}

export interface ListOccurrencesOptions extends AskingOptions {
  readonly since?: string
  readonly until?: string
  readonly limit: number
}

/** `pontual jobs occurrences`: what was decided about each occurrence of a job, the oldest first. */
export async function listOccurrences(
  named: string,
  options: ListOccurrencesOptions,
  environment: Environment,
  terminal: Terminal,
): Promise<void> {
  const { since, until, limit, json } = options
  const zone = shownZone(options)
  const instant = (text: string | undefined, name: string) =>
    text === undefined ? undefined : formatInstant(readMoment(text, name, { now: terminal.now, zone }))
  const query = queryOf({ from: instant(since, '--since'), to: instant(until, '--until') })
  const page = await asking(options, environment, async (connection) => {
    const { id } = await findJob(connection, named)
    return await collectPages<OccurrenceView>(connection, `/${id}/occurrences`, query, limit)
  })
  if (json) {
    terminal.write(`${shownJson(page)}\n`)
    return
  }
  if (page.items.length === 0) terminal.note('No occurrences are recorded.\n')
  else terminal.write(drawOccurrences(terminal, page.items, zone))
  if (page.nextCursor !== null) terminal.note(`The oldest ${limit} are shown: see more with --limit or --since.\n`)
}

function drawOccurrences(terminal: Terminal, items: readonly OccurrenceView[], zone: string): string {
  const at = (instant: string) => formatWallTime(Date.parse(instant), zone)
  return drawTable<OccurrenceView>(
    terminal,
    [
      { title: 'FROM', cell: ({ from }) => at(from) },
      { title: 'TO', cell: ({ from, to }) => (from === to ? '' : at(to)) },
      { title: 'COUNT', cell: ({ count }) => String(count), isRight: true },
      { title: 'DECISION', cell: ({ decision }) => decision },
      { title: 'CAUSE', cell: ({ cause }) => cause ?? '' },
      { title: 'EXECUTION', cell: ({ executionId }) => executionId ?? '' },
    ],
    items,
  )
}
