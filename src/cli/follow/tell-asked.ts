import type { ExecuteAnswer } from '../../service/answers.ts'
import type { Connection } from '../client/connection.ts'
import { shownJson, shownLine } from '../print/shown-text.ts'
import type { Terminal } from '../terminal.ts'
import { type AwaitOptions, awaitExecution } from './await-execution.ts'

/** What a service says about an execution that was asked for. */
export type Asked = ExecuteAnswer & { readonly message: string | null }

/** Tells which execution was asked for, and waits for it where that is wanted. */
export async function tellAsked(
  connection: Connection,
  asked: Asked,
  options: AwaitOptions & { readonly told: string },
  terminal: Terminal,
): Promise<void> {
  const { executionId, isNew, message } = asked
  const { json, wait, follow, told } = options
  const isAwaited = wait || follow
  if (message !== null && !json) terminal.note(`${shownLine(message)}\n`)
  if (!isNew && !json) terminal.note('It had been asked for before, with the same key.\n')
  if (isAwaited) {
    if (!json) terminal.note(`${told}: execution ${executionId}\n`)
    await awaitExecution(connection, executionId, options, terminal)
    return
  }
  terminal.write(json ? `${shownJson(asked)}\n` : `${executionId}\n`)
  if (!json) terminal.note(`${told}. See what comes of it: pontual logs ${executionId} --follow\n`)
}
