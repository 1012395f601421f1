import { type Command, CommanderError } from 'commander'

const UNKNOWN = new Set(['commander.unknownCommand', 'commander.excessArguments'])

/** Whoever names a command that is not there is told of those that are, unless one is near enough to be meant. */
export function nameCommands(command: Command): void {
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
