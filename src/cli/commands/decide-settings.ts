import type { SettingsView } from '../../service/administration/store-settings.ts'
import { type AskingOptions, asking } from '../asking.ts'
import { shownJson, shownLine } from '../print/shown-text.ts'
import type { Environment } from '../start-settings.ts'
import type { Terminal } from '../terminal.ts'
import { requirePerson } from './decide-job.ts'

export interface DecideSettingsOptions extends AskingOptions {
  readonly comment?: string
  readonly ifVersion?: number
}

/** `pontual settings`: the approval rule of the tenant, and the change that waits for a second Admin. */
export async function showSettings(
  options: AskingOptions,
  environment: Environment,
  terminal: Terminal,
): Promise<void> {
  const settings = await asking(options, environment, (connection) => connection.ask<SettingsView>('GET', '/settings'))
  terminal.write(options.json ? `${shownJson(settings)}\n` : describeRules(settings))
}

/** `pontual settings approve` and `pontual settings reject`. */
export async function decideSettings(
  verb: 'approve' | 'reject',
  options: DecideSettingsOptions,
  environment: Environment,
  terminal: Terminal,
): Promise<void> {
  const { comment } = options
  const body = comment === undefined ? {} : verb === 'approve' ? { comment } : { reason: comment }
  const settings = await asking(options, environment, async (connection) => {
    requirePerson(connection, verb)
    // A change between this read and the decision is a conflict.
    const { version } = await connection.ask<SettingsView>('GET', '/settings')
    const sent = { version: options.ifVersion ?? version }
    return await connection.ask<SettingsView>('POST', `/settings/${verb}`, body, sent)
  })
  terminal.write(options.json ? `${shownJson(settings)}\n` : describeRules(settings))
}

function describeRules({ allowsSelfApproval, pending, version }: SettingsView): string {
  const rule = `Self-approval is ${allowsSelfApproval ? 'allowed' : 'forbidden'} (settings version ${version}).\n`
  if (pending === null) return rule
  const requester = shownLine(pending.requestedBy)
  return `${rule}${requester} requested at ${pending.requestedAt} that it is allowed. A second Admin decides with: pontual settings approve --if-version ${version}\n`
}
