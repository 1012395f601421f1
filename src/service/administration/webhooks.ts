import type { AuditValues } from '../../access/audit.ts'
import { newSecret } from '../../clock.ts'
import { NOTIFICATION_KINDS, type NotificationKind } from '../../store/notifications.ts'
import type { Webhook } from '../../store/settings.ts'
import { requireOneOf } from '../../time/require.ts'
import { FieldRefusal, invalidField } from '../field-problems.ts'
import { isShownAddress, shownAddress } from '../jobs/fields/hidden-values.ts'
import { checkTarget, type OutboundRules } from '../outbound/target.ts'
import type { Scope } from '../scope.ts'
import { readList, readText, typeRefusal } from '../sent-values.ts'

/** A webhook as it is sent. */
export interface WebhookFields {
  /** That of one there is, whose secret stays where none is sent. */
  readonly id?: string | undefined
  readonly url: string
  readonly events: readonly NotificationKind[]
  /** Default: one is made, and shown this once. */
  readonly secret?: string | undefined
}

/** A webhook as it is shown: of its address, which often contains a token, scheme and host. */
export interface WebhookView extends Omit<Webhook, 'secret'> {
  /** Only in the answer to whoever had it made. */
  readonly secret?: string | undefined
}

export interface GivenWebhook extends Omit<Webhook, 'id' | 'secret'> {
  readonly id: string | null
  readonly secret: string | null
}

const FIELDS: readonly string[] = ['id', 'url', 'events', 'secret']
const SECRET = /^[\x21-\x7e]{16,256}$/

export function readWebhook(value: unknown, rules: OutboundRules): GivenWebhook {
  if (typeof value !== 'object' || value === null) throw typeRefusal('webhook', 'an object', value)
  const { id, url, events, secret } = value as Record<string, unknown>
  const strange = Object.keys(value).find((name) => !FIELDS.includes(name))
  if (strange !== undefined) {
    throw new FieldRefusal('unknown_field', `A webhook has ${FIELDS.join(', ')}, and nothing else.`, { name: strange })
  }
  const target = checkTarget(readText(url, 'url', { min: 1, max: 2_048 }), rules)
  return {
    id: id === undefined ? null : readText(id, 'id', { min: 1, max: 100 }),
    url: target.href,
    events: readList(events ?? [], 'events', NOTIFICATION_KINDS.length, readKind),
    secret: secret === undefined ? null : readSecret(secret),
  }
}

/** The name of something that people can be told about. */
export function readKind(value: unknown, name: string): NotificationKind {
  return requireOneOf(value, name, NOTIFICATION_KINDS)
}

/** What is secret is not repeated in the refusal. */
function readSecret(value: unknown): string {
  if (typeof value === 'string' && SECRET.test(value)) return value
  const message = 'The secret of a webhook must have 16 to 256 letters, digits and signs of ASCII, without spaces.'
  throw new FieldRefusal('format_invalid', message, { case: 'secret', name: 'secret', min: 16, max: 256 })
}

export interface NamedWebhooks {
  readonly webhooks: readonly Webhook[]
  /** Those that were made just now, by webhook. */
  readonly secrets: ReadonlyMap<string, string>
}

/** What was sent, with the names and secrets of what there is; one without an id is known by its address. */
export function namedWebhooks(scope: Scope, known: readonly Webhook[], given: readonly GivenWebhook[]): NamedWebhooks {
  const left = [...known]
  const named = new Set(given.map(({ id }) => id))
  const secrets = new Map<string, string>()
  const webhooks = given.map(({ id, url, events, secret }): Webhook => {
    // One that is sent under its own id is not another's, though both have the same address.
    const index = left.findIndex((each) => (id === null ? each.url === url && !named.has(each.id) : each.id === id))
    if (id !== null && index < 0) throw unknownWebhook(id)
    const [before] = index < 0 ? [] : left.splice(index, 1)
    const own = before?.id ?? scope.around.env.uuid(scope.now())
    const kept = secret ?? before?.secret ?? newSecret()
    const address = isShownAddress(url) ? storedAddress(url, before) : url
    if (secret === null && before === undefined) secrets.set(own, kept)
    return { id: own, url: address, events, secret: kept }
  })
  return { webhooks, secrets }
}

/** The address that a masked one stands for. */
function storedAddress(shown: string, before: Webhook | undefined): string {
  if (before !== undefined && shownAddress(before.url) === shown) return before.url
  const message = `The address "${shown}" of a webhook is masked: send it whole, or with the id of a webhook of this host.`
  throw invalidField('/webhooks', 'hidden_value', message, { case: 'address', received: shown })
}

function unknownWebhook(id: string): Error {
  const message = `There is no webhook "${id}", or it was sent twice; a new one is sent without an id.`
  return invalidField('/webhooks', 'value_unknown', message, { case: 'webhook', name: 'webhook', received: id })
}

export function viewOfWebhook({ id, url, events }: Webhook): WebhookView {
  return { id, url: shownAddress(url), events }
}

/** For the audit log, which contains neither secrets nor addresses: the webhooks of which one has changed. */
export function changedSecrets(before: readonly Webhook[], after: readonly Webhook[]): AuditValues {
  const known = new Map(before.map((webhook) => [webhook.id, webhook]))
  const changed = (name: 'secret' | 'url') =>
    after.filter((webhook) => (known.get(webhook.id) ?? webhook)[name] !== webhook[name]).map(({ id }) => id)
  const [secrets, addresses] = [changed('secret'), changed('url')]
  return {
    ...(secrets.length > 0 && { changedSecrets: secrets }),
    ...(addresses.length > 0 && { changedAddresses: addresses }),
  }
}

/** Values of an audit entry with webhooks as they are shown. Entries of earlier versions contain whole addresses. */
export function withShownAddresses(values: unknown): unknown {
  if (typeof values !== 'object' || values === null || !('webhooks' in values)) return values
  const { webhooks } = values
  if (!Array.isArray(webhooks)) return values
  return {
    ...values,
    webhooks: webhooks.map((webhook: { readonly url?: unknown }) =>
      typeof webhook?.url === 'string' ? { ...webhook, url: shownAddress(webhook.url) } : webhook,
    ),
  }
}
