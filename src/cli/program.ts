import { readFileSync } from 'node:fs'
import { Command, InvalidArgumentError, Option } from 'commander'
import { type ExplainCronOptions, explainCron } from './commands/explain-cron.ts'
import { type MigrateOptions, migrateDatabase } from './commands/migrate.ts'
import { type SimulateOutageOptions, simulateOutage } from './commands/simulate-outage.ts'
import type { Terminal } from './terminal.ts'

/** All commands, writing to the given terminal. Parsing throws; what is done about that is up to `main`. */
export function createProgram(terminal: Terminal): Command {
  const program = new Command('pontual')
    .description('Job scheduler and durable execution engine for TypeScript on PostgreSQL.')
    .version(readVersion())
    .exitOverride()
    .configureOutput({ writeOut: (text) => terminal.write(text) })
    .addHelpText('after', '\nWithout a command: sample jobs, when they fire next, and what an outage would do to them.')

  program
    .command('cron')
    .description('Understand cron expressions.')
    .command('explain')
    .description('Show what an expression means and when it fires next.')
    .argument('<expression>', 'five fields, or six with seconds first, in quotes')
    .option('--zone <zone>', 'IANA time zone (default: UTC)')
    .addOption(new Option('--locale <locale>', 'language of the description').choices(['en', 'pt-BR']).default('en'))
    .addOption(new Option('--day-rule <rule>', 'how the two day fields combine').choices(['or', 'and']).default('or'))
    .option('--identity <name>', 'what H spreads by')
    .option('--from <instant>', 'look from here on (default: now)')
    .option('--count <n>', 'how many fire times to show', parseCount, 5)
    .option('--json', 'print JSON', false)
    .action((expression: string, options: ExplainCronOptions) => explainCron(expression, options, terminal))

  program
    .command('simulate')
    .description('Show what a job would do after an outage, under each misfire policy.')
    .requiredOption('--cron <expression>', 'when the job fires')
    .requiredOption('--outage <from/to>', 'two RFC 3339 instants with a slash between them')
    .option('--zone <zone>', 'IANA time zone (default: UTC)')
    .option('--policy <policy...>', 'misfire policies to try, parted by spaces (default: the four)')
    .option('--threshold <duration>', 'how late still counts as on time (default: 1m)')
    .option('--json', 'print JSON', false)
    .action((options: SimulateOutageOptions) => simulateOutage(options, terminal))

  program
    .command('migrate')
    .description('Create and update the tables of Pontual in a PostgreSQL database.')
    .addOption(new Option('--database-url <url>', 'postgres://user:password@host:5432/database').env('DATABASE_URL'))
    .option('--print', 'print the SQL for a database that has none of the tables, and change nothing', false)
    .option('--json', 'print JSON', false)
    .action((options: MigrateOptions) => migrateDatabase(options, terminal))

  return program
}

function parseCount(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= 1_000) return count
  throw new InvalidArgumentError('It must be a whole number of 1-1000.')
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return String((manifest as { version: unknown }).version)
}
