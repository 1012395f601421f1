import { InvalidInputError, quote } from '../../errors.ts'
import type { CancelAnswer, Page } from '../../service/answers.ts'
import type { ExecutionView } from '../../service/execution-view.ts'
import type { JobView } from '../../service/job-view.ts'
import { formatInstant } from '../../time/instant.ts'
import { type AskingOptions, asking, shownZone } from '../asking.ts'
import { AnsweredError, type Connection } from '../client/connection.ts'
import { findJob, findWork } from '../client/find.ts'
import { type Asked, type AwaitOptions, tellAsked } from '../follow/await-execution.ts'
import { readInput, readMomentAhead } from '../option-values.ts'
import { shellWord, shownJson, shownLine } from '../print/text.ts'
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

export interface RetryOptions extends AskingOptions, AwaitOptions {}

/** `pontual retry`: runs an execution once more that did not succeed; of a job, the last that failed. */
export async function retryExecution(
  named: string,
  options: RetryOptions,
  environment: Environment,
  terminal: Terminal,
): Promise<void> {
  await asking(options, environment, async (connection) => {
    const work = await findWork(connection, named)
    const [jobId, name, query] =
      work.kind === 'job'
        ? [work.job.id, work.job.name, '']
        : [work.execution.jobId, work.execution.jobName ?? '', `?executionId=${work.execution.id}`]
    if (jobId === null) throw ofNoJob(named, work.kind === 'execution' ? work.execution.jobType : '')
    const asked = await connection.ask<Asked>('POST', `/${jobId}/retry${query}`)
    await tellAsked(connection, asked, { ...options, told: `${shownLine(name)} is tried again` }, terminal)
  })
}

function ofNoJob(id: string, jobType: string): AnsweredError {
  const again = `pontual run --type ${shellWord(jobType)}`
  const message = `Execution "${id}" has no job, so it can't be retried. Enqueue it again: in code or, if its job type is declared enqueueable, with ${again}`
  return new AnsweredError(409, 'execution.of_no_job', message, { executionId: id })
}

export interface CancelOptions extends AskingOptions {
  readonly reason?: string
  /** Of a job, also where several have not ended. */
  readonly all: boolean
}

/** `pontual cancel`: ends an execution, or the one of a job that has not ended. */
export async function cancelExecutions(
  named: string,
  options: CancelOptions,
  environment: Environment,
  terminal: Terminal,
): Promise<void> {
  const { reason, json } = options
  const body = reason === undefined ? {} : { reason }
  const answer = await asking(options, environment, async (connection) => {
    const work = await findWork(connection, named)
    if (work.kind === 'execution') {
      return await connection.ask<CancelAnswer>('POST', `/executions/${work.execution.id}/cancel`, body)
    }
    if (!options.all) await requireOne(connection, work.job)
    return await connection.ask<CancelAnswer>('POST', `/${work.job.id}/cancel`, body)
  })
  if (json) {
    terminal.write(`${shownJson(answer)}\n`)
    return
  }
  for (const id of answer.cancelled) terminal.write(`${id} is cancelled.\n`)
  // Whether an activity has anything that undoes it is known to the code alone.
  for (const id of answer.cancelling) {
    terminal.write(`${id} is being cancelled: it ends itself, and undoes what its code has a compensation for.\n`)
    terminal.note(`See what it does: pontual logs ${id} --follow\n`)
  }
}

/** A name means one execution; several are meant by who says so. */
async function requireOne(connection: Connection, { id, name }: JobView): Promise<void> {
  const { items } = await connection.ask<Page<ExecutionView>>(
    'GET',
    `/${id}/history?limit=10&status=QUEUED,RUNNING,WAITING,DIVERGED`,
  )
  if (items.length === 1) return
  const ids = items.map((execution) => execution.id)
  const message =
    items.length === 0
      ? `No execution of job ${quote(name)} is under way: there is nothing to cancel.`
      : `${items.length === 10 ? '10 or more' : items.length} executions of job ${quote(name)} have not ended: name one of them, or cancel them with --all.\n  ${ids.join('\n  ')}`
  throw new AnsweredError(409, items.length === 0 ? 'job.nothing_to_cancel' : 'job.several_under_way', message, {
    jobId: id,
    executionIds: ids,
  })
}
