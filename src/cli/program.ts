import { readFileSync } from 'node:fs'
import process from 'node:process'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { DevOptions } from './commands/dev.ts'
import { type ExplainCronOptions, explainCron } from './commands/explain-cron.ts'
import { type MigrateOptions, migrateDatabase } from './commands/migrate.ts'
import { type SimulateOutageOptions, simulateOutage } from './commands/simulate-outage.ts'
import type { StartOptions } from './commands/start.ts'
import type { VerifyAuditOptions } from './commands/verify-audit.ts'
import { describeVariables } from './start-settings.ts'
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

  // What serves is loaded when it is asked for: the commands above answer at once.
  program
    .command('dev')
    .description('Run the demo jobs and the API on this machine, without a database server; whoever asks is Admin.')
    .option('--port <port>', 'where to listen', parsePort, 3_000)
    .option('--data <directory>', 'where everything is kept', '.pontual')
    .option('--memory', 'keep everything in memory instead', false)
    .action(async (options: DevOptions) => (await import('./commands/dev.ts')).runDev(options, terminal))

  program
    .command('start')
    .description('Run a node and its API on PostgreSQL.')
    .option('--jobs <file>', 'a module that exports jobs, a list of job types')
    .addHelpText('after', describeVariables())
    .action(async (options: StartOptions) =>
      (await import('./commands/start.ts')).runStart(options, process.env, terminal),
    )

  program
    .command('audit')
    .description('The audit log.')
    .command('verify')
    .description('Check that no entry was changed, added or removed; name the first that is wrong.')
    .addOption(new Option('--database-url <url>', 'postgres://user:password@host:5432/database').env('DATABASE_URL'))
    .option('--tenant <tenant>', 'only the log of this one')
    .option('--noted <file>', 'what an earlier call has printed with --json: where the log ended then')
    .option('--json', 'print JSON', false)
    .action(async (options: VerifyAuditOptions) =>
      (await import('./commands/verify-audit.ts')).verifyAuditLog(options, terminal),
    )

  return program
}

function parsePort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError('It must be a port: 0-65535, 0 for any that is free.')
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
