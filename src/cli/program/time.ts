import process from 'node:process'
import { type Command, Option } from 'commander'
import type { SimulateStoredOptions } from '../commands/simulate-stored-jobs.ts'
import { type ExplainCronOptions, explainCron, type SimulateOutageOptions, simulateOutage } from '../commands/time.ts'
import type { Terminal } from '../terminal.ts'
import { clientOptions, jsonOption, localeOption, parseCount } from './options.ts'

/** What is about time; all but what asks for stored jobs answers without a service or a database. */
export function addTimeCommands(program: Command, terminal: Terminal): void {
  program
    .command('cron')
    .description('Understand cron expressions.')
    .command('explain')
    .description('Show what an expression means and when it fires next.')
    .argument('<expression>', 'five fields, or six with seconds first, in quotes')
    .option('--zone <zone>', 'IANA time zone (default: UTC)')
    .addOption(localeOption('language of the description').default('en'))
    .addOption(new Option('--day-rule <rule>', 'how the two day fields combine').choices(['or', 'and']).default('or'))
    .option('--identity <name>', 'what H spreads by')
    .option('--from <instant>', 'look from here on (default: now)')
    .option('--count <n>', 'how many fire times to show', parseCount, 5)
    .addOption(jsonOption())
    .action((expression: string, options: ExplainCronOptions) => explainCron(expression, options, terminal))

  clientOptions(
    program
      .command('simulate')
      .description('Show what jobs would do after an outage: those of a service, or with --cron one under each policy.')
      .requiredOption(
        '--outage <from/to>',
        'two RFC 3339 instants with a slash between them, or a duration that ends now',
      )
      .option('--cron <expression>', 'of a job that need not exist (default: the jobs of the service)')
      .option('--zone <zone>', "IANA time zone (default: with --cron UTC, else this machine's)")
      .option(
        '--policy <policy...>',
        'misfire policies to try, parted by spaces (default: with --cron four, else its own)',
      )
      .option('--threshold <duration>', 'with --cron: how late still counts as on time (default: 1m)')
      .addOption(jsonOption()),
  ).action(async ({ cron, ...options }: SimulateStoredOptions & Partial<SimulateOutageOptions>) => {
    if (cron !== undefined) simulateOutage({ ...options, cron }, terminal)
    else await (await import('../commands/simulate-stored-jobs.ts')).simulateStoredJobs(options, process.env, terminal)
  })
}
