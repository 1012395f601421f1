import { type AskingOptions, asking } from '../asking.ts'
import { AnsweredError } from '../client/errors.ts'
import { findWork } from '../client/find-work.ts'
import type { AwaitOptions } from '../follow/await-execution.ts'
import { type Asked, tellAsked } from '../follow/tell-asked.ts'
import { shellWord } from '../print/shell-word.ts'
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
