import { type JobFieldName, STORED_NAMES } from '../../job/job-fields.ts'
import type { JobMore } from '../../service/answers.ts'
import { jobFields } from '../../service/i18n/en/job-fields.ts'
import type { ApprovalView, NextExecutionView } from '../../service/job-knowledge.ts'
import type { JobView } from '../../service/job-view.ts'
import { type AskingOptions, asking, shownZone } from '../asking.ts'
import { findJob } from '../client/find-job.ts'
import { formatAge, formatTook } from '../print/age.ts'
import { drawExecutions } from '../print/execution-table.ts'
import { drawFields, shownValue } from '../print/fields.ts'
import { shellWord } from '../print/shell-word.ts'
import { shownJson, shownLine, shownText } from '../print/shown-text.ts'
import { statusTone } from '../print/status-tone.ts'
import { formatWallTime } from '../print/wall-time.ts'
import type { Environment } from '../start-settings.ts'
import type { Terminal } from '../terminal.ts'

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
