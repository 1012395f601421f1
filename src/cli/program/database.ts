import process from 'node:process'
import type { Command } from 'commander'
import type { KeysOptions } from '../commands/keys.ts'
import type { MigrateOptions } from '../commands/migrate.ts'
import type { VerifyAuditOptions } from '../commands/verify-audit.ts'
import type { Terminal } from '../terminal.ts'
import { databaseUrlOption, jsonOption, schemaOption } from './options.ts'

/** What works on the database itself, for who runs it. */
export function addDatabaseCommands(program: Command, terminal: Terminal): void {
  program
    .command('migrate')
    .description('Create and update the tables of Pontual in a PostgreSQL database.')
    .addOption(databaseUrlOption())
    .addOption(schemaOption())
    .option('--print', 'print the SQL for a database that has none of the tables, and change nothing', false)
    .option('--login <role>', 'the role that nodes log in as; it is created if needed, and cannot alter the tables')
    .option(
      '--owner <role>',
      'the role that becomes the owner of the tables; it cannot log in (default: the name of the schema with _owner)',
    )
    .addOption(jsonOption())
    .action(async (options: MigrateOptions) =>
      (await import('../commands/migrate.ts')).migrateDatabase(options, terminal),
    )

  program
    .command('audit')
    .description('The audit log.')
    .command('verify')
    .description('Check that no entry was changed, added or removed; name the first that is wrong.')
    .addOption(databaseUrlOption())
    .addOption(schemaOption())
    .option('--tenant <tenant>', 'only the log of this one')
    .option('--noted <file>', 'what an earlier call has printed with --json: where the log ended then')
    .addOption(jsonOption())
    .action(async (options: VerifyAuditOptions) =>
      (await import('../commands/verify-audit.ts')).verifyAuditLog(options, terminal),
    )

  addKeysCommands(program, terminal)
}

function addKeysCommands(program: Command, terminal: Terminal): void {
  const keys = program.command('keys').description('The keys that contents are encrypted with.')
  const withKeys = (command: Command) =>
    command
      .addOption(databaseUrlOption())
      .addOption(schemaOption())
      .addHelpText(
        'after',
        '\nThe key ring is read from PONTUAL_ENCRYPTION_KEYS: id:base64,older:base64, the current one first.\n',
      )
      .addOption(jsonOption())
  withKeys(keys.command('status').description('Show which keys there are, and what each of them has wrapped.')).action(
    async (options: KeysOptions) => (await import('../commands/keys.ts')).showKeys(ringed(options), terminal),
  )
  withKeys(keys.command('rotate').description('Wrap all data keys with the current key, while nodes run.')).action(
    async (options: KeysOptions) => (await import('../commands/keys.ts')).rotateKeys(ringed(options), terminal),
  )
  withKeys(
    keys.command('retire').description('Check that a key may be taken off the ring.').argument('<id>', 'of the key'),
  ).action(async (id: string, options: KeysOptions) =>
    (await import('../commands/keys.ts')).retireKey(id, ringed(options), terminal),
  )
  withKeys(
    keys.command('seal').description('Encrypt what was stored before there was encryption, while nodes run.'),
  ).action(async (options: KeysOptions) =>
    (await import('../commands/keys.ts')).sealPlaintext(ringed(options), terminal),
  )
}

/** Keys are no option: what stands on a command line is seen by all. */
function ringed(options: KeysOptions): KeysOptions {
  return { ...options, keys: process.env['PONTUAL_ENCRYPTION_KEYS'] }
}
