import { type Command, InvalidArgumentError, Option } from 'commander'
import { LOCALES } from '../../time/locale.ts'

/** Options that several commands have, so that each of them means the same everywhere. */
export function databaseUrlOption(): Option {
  return new Option('--database-url <url>', 'postgres://user:password@host:5432/database').env('DATABASE_URL')
}

export function schemaOption(): Option {
  return new Option('--schema <name>', 'the schema that contains the tables (default: pontual)').env('PONTUAL_SCHEMA')
}

export function jsonOption(): Option {
  return new Option('--json', 'print JSON').default(false)
}

export function localeOption(description: string): Option {
  return new Option('--locale <locale>', description).choices(LOCALES)
}

/** Where a command asks. The environment is read when it does, since what is said has to beat what is set. */
export function clientOptions(command: Command): Command {
  return command
    .option('--url <url>', 'the service to ask (env: PONTUAL_URL, with PONTUAL_TOKEN or PONTUAL_API_KEY)')
    .option('--database-url <url>', 'ask a database in its place (env: DATABASE_URL)')
    .option('--schema <name>', 'the schema of that database (env: PONTUAL_SCHEMA; default: pontual)')
    .option('--tenant <tenant>', 'whose jobs, where a database is asked (default: default)')
    .option('--data <directory>', 'where the `pontual dev` to ask keeps everything, where nothing else is named')
    .addHelpText('after', ASKED)
}

const ASKED = `
Asked is, in this order: --url or --database-url, PONTUAL_URL, DATABASE_URL, and the \`pontual dev\` that runs in this directory.
`

export function parsePort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError('It must be a port: 0-65535, 0 for any that is free.')
}

export function parseCount(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= 1_000) return count
  throw new InvalidArgumentError('It must be a whole number of 1-1000.')
}
