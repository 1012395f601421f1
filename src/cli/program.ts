import { Command, CommanderError } from 'commander'
import { describeExitCodes } from './errors.ts'
import { addDatabaseCommands } from './program/database.ts'
import { addInspectCommands } from './program/inspect.ts'
import { addNodeCommands } from './program/nodes.ts'
import { addOperateCommands } from './program/operate.ts'
import { addTimeCommands } from './program/time.ts'
import type { Terminal } from './terminal.ts'
import { readVersion } from './version.ts'

const UNKNOWN = new Set(['commander.unknownCommand', 'commander.excessArguments'])

/** Whoever names a command that is not there is told of those that are, unless one is near enough to be meant. */
function nameCommands(command: Command): void {
  const names = command.commands.map((each) => each.name())
  if (names.length === 0) return
  const known =
    command.parent === null ? 'pontual --help lists all.' : `Of ${command.name()} there is: ${names.join(', ')}.`
  command.exitOverride((error) => {
    const { exitCode, code, message } = error
    if (!UNKNOWN.has(code) || message.includes('(Did you mean')) throw error
    throw new CommanderError(exitCode, code, `${message.replace(/\.$/, '')}. ${known}`)
  })
  for (const each of command.commands) nameCommands(each)
}

/**
 * All commands, writing to the given terminal. Parsing throws; what is done about that is up to `main`. What a command needs is loaded when it is asked for: `--help` and those about time answer at once.
 */
export function createProgram(terminal: Terminal): Command {
  const program = new Command('pontual')
    .description('Job scheduler and durable execution engine for TypeScript on PostgreSQL.')
    .version(readVersion())
    .exitOverride()
    // What stands behind a command is for that command.
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => terminal.write(text),
      writeErr: (text) => terminal.note(text),
      // Whoever catches the error tells it.
      outputError: () => {},
    })
    .addHelpText('after', '\nWithout a command: sample jobs, when they fire next, and what an outage would do to them.')
    .addHelpText('after', describeExitCodes())
  const groups = [addNodeCommands, addOperateCommands, addInspectCommands, addTimeCommands, addDatabaseCommands]
  for (const add of groups) add(program, terminal)
  nameCommands(program)
  return program
}
