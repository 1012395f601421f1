import type { JobView } from '../../service/job-view.ts'
import { formatInstant } from '../../time/instant.ts'
import { type AskingOptions, asking, shownZone } from '../asking.ts'
import { findJob } from '../client/find-job.ts'
import { formatAge } from '../print/age.ts'
import { shellWord } from '../print/shell-word.ts'
import { shownJson, shownLine } from '../print/shown-text.ts'
import { formatWallTime } from '../print/wall-time.ts'
import { readMomentAhead } from '../read/moment.ts'
import type { Environment } from '../start-settings.ts'
import type { Terminal } from '../terminal.ts'

export interface PauseJobOptions extends AskingOptions {
  readonly reason?: string
  /** When it resumes by itself: a duration from now on, a day or an instant. */
  readonly until?: string
}

/** `pontual pause`: stops a job from firing, for a time or until it is resumed. */
export async function pauseJob(
  named: string,
  options: PauseJobOptions,
  environment: Environment,
  terminal: Terminal,
): Promise<void> {
  const zone = shownZone(options)
  const { until, reason } = options
  const body = {
    ...(reason !== undefined && { reason }),
    ...(until !== undefined && {
      until: formatInstant(readMomentAhead(until, '--until', { now: terminal.now, zone })),
    }),
  }
  const job = await verb(named, 'pause', options, environment, body)
  const ends =
    job.pausedUntil === null
      ? `until somebody resumes it: pontual resume ${shellWord(job.name)}`
      : `until ${formatWallTime(Date.parse(job.pausedUntil), zone)}`
  terminal.write(options.json ? `${shownJson(job)}\n` : `${shownLine(job.name)} is paused, ${ends}\n`)
}

/** `pontual resume`: lets a paused or faulted job fire again, from now on. */
export async function resumeJob(
  named: string,
  options: AskingOptions,
  environment: Environment,
  terminal: Terminal,
): Promise<void> {
  const zone = shownZone(options)
  const job = await verb(named, 'resume', options, environment)
  const at = job.nextExecution === null ? null : Date.parse(job.nextExecution)
  const next = at === null ? 'never, as it stands' : `${formatWallTime(at, zone)} (${formatAge(at, terminal.now)})`
  terminal.write(
    options.json ? `${shownJson(job)}\n` : `${shownLine(job.name)} is ${job.status} and fires next: ${next}\n`,
  )
}

async function verb(
  named: string,
  name: 'pause' | 'resume',
  options: AskingOptions,
  environment: Environment,
  body?: object,
): Promise<JobView> {
  return await asking(options, environment, async (connection) => {
    const { id } = await findJob(connection, named)
    return await connection.ask<JobView>('POST', `/${id}/${name}`, body)
  })
}
