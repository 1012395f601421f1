import type { ChainMember, ChainRecord } from '../../store/executions.ts'
import { type AskingOptions, asking } from '../asking.ts'
import { findExecution } from '../client/find-work.ts'
import { shownJson, shownLine } from '../print/shown-text.ts'
import { statusTone } from '../print/status-tone.ts'
import { drawTable } from '../print/table.ts'
import type { Environment } from '../start-settings.ts'
import type { Terminal } from '../terminal.ts'

/** `pontual executions chain`: the executions of a chain, and which of them each one runs after. */
export async function showChain(
  named: string,
  options: AskingOptions,
  environment: Environment,
  terminal: Terminal,
): Promise<void> {
  const chain = await asking(options, environment, async (connection) => {
    const { id } = await findExecution(connection, named)
    return await connection.ask<ChainRecord>('GET', `/executions/${id}/chain?archived=true`)
  })
  if (options.json) {
    terminal.write(`${shownJson(chain)}\n`)
    return
  }
  const after = (id: string) => chain.links.filter(({ to }) => to === id).map(({ from, on }) => `${from} (${on})`)
  terminal.write(
    drawTable<ChainMember>(
      terminal,
      [
        { title: 'EXECUTION', cell: ({ id }) => id },
        { title: 'TYPE', cell: ({ jobType }) => shownLine(jobType), narrowest: 12 },
        { title: 'STATUS', cell: ({ status }) => status, tone: ({ status }) => statusTone(status) },
        { title: 'AFTER', cell: ({ id }) => after(id).join(', ') },
      ],
      chain.executions,
    ),
  )
}
