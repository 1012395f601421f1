import { createProgram } from '../../../src/cli/program.ts'
import { testTerminal } from './test-terminal.ts'

/** What a command prints, where it is that instant. */
export async function runCommand(now: number, args: readonly string[]): Promise<string> {
  const terminal = testTerminal({ now })
  await createProgram(terminal)
    .configureOutput({ writeErr: () => undefined })
    .parseAsync(args, { from: 'user' })
  return terminal.lines.join('')
}
