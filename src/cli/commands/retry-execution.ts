import { type AskingOptions, asking } from '../asking.ts'
import { AnsweredError } from '../client/errors.ts'
import { findWork } from '../client/find-work.ts'
import type { AwaitOptions } from '../follow/await-execution.ts'
import { type Asked, tellAsked } from '../follow/tell-asked.ts'
import { shownLine } from '../print/shown-text.ts'
import type { Environment } from '../start-settings.ts'
import type { Terminal } from '../terminal.ts'

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
    if (jobId === null) throw ofNoJob(named)
    const asked = await connection.ask<Asked>('POST', `/${jobId}/retry${query}`)
    await tellAsked(connection, asked, { ...options, told: `${shownLine(name)} is tried again` }, terminal)
  })
}

function ofNoJob(id: string): AnsweredError {
  const message = `Execution "${id}" is of no job, but was enqueued by code: only the code can enqueue it again.`
  return new AnsweredError(409, 'execution.of_no_job', message, { executionId: id })
}
