import process from 'node:process'
import type { Command } from 'commander'
import type { DevOptions } from '../commands/dev.ts'
import type { InitOptions } from '../commands/init.ts'
import type { StartOptions } from '../commands/start.ts'
import type { Terminal } from '../terminal.ts'
import { describeVariables } from '../variables.ts'
import { jsonOption, localeOption, parsePort } from './options.ts'

/** What runs jobs and serves their API until it is ended. */
export function addNodeCommands(program: Command, terminal: Terminal): void {
  program
    .command('dev')
    .description(
      'Run your jobs, or a demo, and their API on this machine, without a database server; whoever asks is Admin.',
    )
    .option('--config <file>', 'the configuration (default: pontual.config.ts, .mts, .js or .mjs, where there is one)')
    .option('--jobs <file...>', 'modules that export job types, or globs of them')
    .option('--port <port>', 'where to listen (default: 3000)', parsePort)
    .option('--data <directory>', 'where everything is kept (default: .pontual; of the demo alone .pontual-demo)')
    .option('--memory', 'keep everything in memory instead', false)
    .option('--demo', 'run the demo beside your own jobs', false)
    .addOption(
      localeOption('language of the demo (default: Portuguese if LC_ALL, LC_MESSAGES or LANG says so, else English)'),
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Without a configuration and --jobs it is the demo. With one of them it starts anew when a file of yours changes.
It takes PONTUAL_PORT, PONTUAL_LOG and PONTUAL_DASHBOARD, and the variables of \`pontual start\` about mails and webhooks, such as PONTUAL_SMTP_URL.
`,
    )
    .action(async (options: DevOptions) => (await import('../commands/dev.ts')).runDev(options, process.env, terminal))

  program
    .command('start')
    .description('Run a node and its API on PostgreSQL.')
    .option('--config <file>', 'the configuration (default: pontual.config.ts, .mts, .js or .mjs, where there is one)')
    .option('--jobs <file...>', 'modules that export job types, or globs of them')
    .option('--host <address>', 'the address to listen on (default: 127.0.0.1; 0.0.0.0 for all)')
    .option('--port <port>', 'where to listen (default: 3000)', parsePort)
    .addOption(jsonOption())
    .addHelpText('after', describeVariables())
    .action(async (options: StartOptions) =>
      (await import('../commands/start.ts')).runStart(options, process.env, terminal),
    )

  program
    .command('init')
    .description('Write a small project that runs: a configuration and two jobs.')
    .argument('[directory]', 'where to (default: here)')
    .addOption(jsonOption())
    .action(async (directory: string | undefined, options: InitOptions) =>
      (await import('../commands/init.ts')).initProject(directory ?? '.', options, terminal),
    )
}
