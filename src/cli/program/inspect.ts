import process from 'node:process'
import type { Command } from 'commander'
import type { DoctorOptions } from '../commands/doctor.ts'
import type { PrintOpenApiOptions } from '../commands/print-openapi.ts'
import type { TopOptions } from '../commands/top.ts'
import type { Terminal } from '../terminal.ts'
import { clientOptions, databaseUrlOption, jsonOption, schemaOption } from './options.ts'

/** What looks, and changes nothing. */
export function addInspectCommands(program: Command, terminal: Terminal): void {
  program
    .command('doctor')
    .description('Check this machine and its database, and say what to do about what is wrong.')
    .addOption(databaseUrlOption())
    .addOption(schemaOption())
    .option('--data <directory>', 'check what `pontual dev` keeps there; while it runs, through its API')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nWithout a database named, that of `pontual dev` in this directory. Exits with 1 where a check fails.\n',
    )
    .action(async (options: DoctorOptions) =>
      (await import('../commands/doctor.ts')).runDoctor(options, process.env, terminal),
    )

  clientOptions(
    program
      .command('top')
      .description('Watch nodes, queues, what runs, rates, failures and alerts.')
      .option('--interval <duration>', 'how often to look', '1s')
      .option('--once', 'look once, and end', false)
      .addOption(jsonOption()),
  )
    .addHelpText('after', '\nq or Ctrl+C ends it. With --json, and where nobody looks: one JSON object per line.\n')
    .action(async (options: TopOptions) => (await import('../commands/top.ts')).runTop(options, process.env, terminal))

  program
    .command('openapi')
    .description('Print the description of the REST API, as OpenAPI 3.1.')
    .option('--prefix <path>', 'where the API is mounted, such as /ops', '')
    .addOption(jsonOption())
    .addHelpText('after', '\nIt is JSON with and without --json; without, it is indented.\n')
    .action(async (options: PrintOpenApiOptions) =>
      (await import('../commands/print-openapi.ts')).printOpenApi(options, terminal),
    )
}
