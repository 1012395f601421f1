import { quote } from '../../errors.ts'
import type { CancelAnswer, Page } from '../../service/answers.ts'
import type { ExecutionView } from '../../service/execution-view.ts'
import type { JobView } from '../../service/job-view.ts'
import { type AskingOptions, asking } from '../asking.ts'
import type { Connection } from '../client/connection.ts'
import { AnsweredError } from '../client/errors.ts'
import { findWork } from '../client/find-work.ts'
import { shownJson } from '../print/shown-text.ts'
import type { Environment } from '../start-settings.ts'
import type { Terminal } from '../terminal.ts'

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
