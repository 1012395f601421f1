import type { JobView } from '../../service/job-view.ts'
import { type AskingOptions, asking } from '../asking.ts'
import type { Connection } from '../client/connection.ts'
import { AnsweredError } from '../client/errors.ts'
import { findJob } from '../client/find-job.ts'
import { shownJson, shownLine } from '../print/shown-text.ts'
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
