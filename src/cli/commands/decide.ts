import type { SettingsView } from '../../service/administration/store-settings.ts'
import type { JobView } from '../../service/job-view.ts'
import { formatInstant } from '../../time/instant.ts'
import { type AskingOptions, asking, shownZone } from '../asking.ts'
import { AnsweredError, type Connection } from '../client/connection.ts'
import { findJob } from '../client/find.ts'
import { readMomentAhead } from '../option-values.ts'
import { formatAge, formatWallTime } from '../print/instants.ts'
import { shellWord, shownJson, shownLine } from '../print/text.ts'
import type { Environment } from '../start-settings.ts'
import type { Terminal } from '../terminal.ts'

export interface DecideOptions extends AskingOptions {
  readonly comment?: string
  /** The version that was looked at; another one is a conflict. */
  readonly ifVersion?: number
}

/** `pontual approve`: a second person's yes to what a sensitive job would run. */
export async function approveJob(
  named: string,
  options: DecideOptions,
  environment: Environment,
  terminal: Terminal,
): Promise<void> {
  const { comment } = options
  await decide(named, 'approve', comment === undefined ? {} : { comment }, options, environment, terminal)
}

/** `pontual reject`: the no. */
export async function rejectJob(
  named: string,
  options: DecideOptions & { readonly comment: string },
  environment: Environment,
  terminal: Terminal,
): Promise<void> {
  await decide(named, 'reject', { reason: options.comment }, options, environment, terminal)
}

async function decide(
  named: string,
  verb: 'approve' | 'reject',
  body: object,
  options: DecideOptions,
  environment: Environment,
  terminal: Terminal,
): Promise<void> {
  const job = await asking(options, environment, async (connection) => {
    requirePerson(connection, verb)
    const { id, version } = await findJob(connection, named)
    // What is decided about is what was found: should it change in between, that is a conflict.
    return await connection.ask<JobView>('POST', `/${id}/${verb}`, body, { version: options.ifVersion ?? version })
  })
  const word = verb === 'approve' ? 'approved' : 'rejected'
  const telling = `${shownLine(job.name)}, version ${job.version}, is ${word}: ${job.status}\n`
  terminal.write(options.json ? `${shownJson(job)}\n` : telling)
}

/** Two people are needed for a sensitive job; who has opened the database has shown a password, and not who he is. */
export function requirePerson({ isDirect, place }: Connection, verb: string): void {
  if (!isDirect) return
  const message = `Nobody can ${verb} on ${place}: it takes a person whom the service knows. Name the service with --url or PONTUAL_URL, and show who you are with PONTUAL_TOKEN.`
  throw new AnsweredError(403, 'client.person_needed', message, { place })
}

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

export interface DecideSettingsOptions extends AskingOptions {
  readonly comment?: string
  readonly ifVersion?: number
}

/** `pontual settings`: the approval rule of the tenant, and the change that waits for a second Admin. */
export async function showSettings(
  options: AskingOptions,
  environment: Environment,
  terminal: Terminal,
): Promise<void> {
  const settings = await asking(options, environment, (connection) => connection.ask<SettingsView>('GET', '/settings'))
  terminal.write(options.json ? `${shownJson(settings)}\n` : describeRules(settings))
}

/** `pontual settings approve` and `pontual settings reject`. */
export async function decideSettings(
  verb: 'approve' | 'reject',
  options: DecideSettingsOptions,
  environment: Environment,
  terminal: Terminal,
): Promise<void> {
  const { comment } = options
  const body = comment === undefined ? {} : verb === 'approve' ? { comment } : { reason: comment }
  const settings = await asking(options, environment, async (connection) => {
    requirePerson(connection, verb)
    // A change between this read and the decision is a conflict.
    const { version } = await connection.ask<SettingsView>('GET', '/settings')
    const sent = { version: options.ifVersion ?? version }
    return await connection.ask<SettingsView>('POST', `/settings/${verb}`, body, sent)
  })
  terminal.write(options.json ? `${shownJson(settings)}\n` : describeRules(settings))
}

function describeRules({ allowsSelfApproval, pending, version }: SettingsView): string {
  const rule = `Self-approval is ${allowsSelfApproval ? 'allowed' : 'forbidden'} (settings version ${version}).\n`
  if (pending === null) return rule
  const requester = shownLine(pending.requestedBy)
  return `${rule}${requester} requested at ${pending.requestedAt} that it is allowed. A second Admin decides with: pontual settings approve --if-version ${version}\n`
}
