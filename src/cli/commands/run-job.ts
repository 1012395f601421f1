import { InvalidInputError } from '../../errors.ts'
import type { JobView } from '../../service/job-view.ts'
import { formatInstant } from '../../time/instant.ts'
import { type AskingOptions, asking, shownZone } from '../asking.ts'
import { AnsweredError } from '../client/errors.ts'
import { findJob } from '../client/find-job.ts'
import type { AwaitOptions } from '../follow/await-execution.ts'
import { type Asked, tellAsked } from '../follow/tell-asked.ts'
import { shownLine } from '../print/shown-text.ts'
import { readMomentAhead } from '../read/moment.ts'
import { readInput } from '../read/read-input.ts'
import type { Environment } from '../start-settings.ts'
import type { Terminal } from '../terminal.ts'

export interface RunJobOptions extends AskingOptions, AwaitOptions {
  /** In place of a job: a job type that is declared enqueueable. */
  readonly type?: string
  /** JSON, or `@file`. */
  readonly input?: string
  readonly priority?: string
  /** Not before then: a duration from now on, a day or an instant. */
  readonly at?: string
  /** The same key means the same execution. */
  readonly key?: string
}

/** `pontual run`: runs a job, or a job type without a job, now or later. */
export async function runJob(
  named: string | undefined,
  options: RunJobOptions,
  environment: Environment,
  terminal: Terminal,
): Promise<void> {
  const { type, input, priority, at, key } = options
  requireOneTarget(named, type)
  const payload = input === undefined ? undefined : readInput(input, '--input')
  const moment = { now: terminal.now, zone: shownZone(options) }
  const runAt = at === undefined ? undefined : formatInstant(readMomentAhead(at, '--at', moment))
  await asking(options, environment, async (connection) => {
    const { name, ...target } = named === undefined ? ofType(type) : ofJob(await findJob(connection, named))
    const request = { ...target, payload, priority, runAt, idempotencyKey: key }
    const asked = await connection.ask<Asked>('POST', '/enqueue', request).catch(aboutInput)
    await tellAsked(connection, asked, { ...options, told: `${shownLine(name)} is asked to run` }, terminal)
  })
}

function requireOneTarget(named: string | undefined, type: string | undefined): void {
  if ((named === undefined) !== (type === undefined)) return
  const received = named === undefined ? 'got neither' : 'got both'
  const message = `Give either a job, as \`pontual run <job>\`, or a job type that is declared enqueueable, as \`pontual run --type <type>\`; ${received}.`
  throw new InvalidInputError('option.contradiction', message)
}

function ofJob({ id: jobId, name }: JobView) {
  return { jobId, name }
}

function ofType(jobType = '') {
  return { jobType, name: jobType }
}

/** What the API calls the payload was given as the input. */
function aboutInput(error: unknown): never {
  if (!(error instanceof AnsweredError)) throw error
  const { status, code, message, details } = error
  throw new AnsweredError(status, code, message.replaceAll('\n  /payload', '\n  --input'), details)
}
