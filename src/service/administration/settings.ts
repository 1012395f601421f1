import { ForbiddenError } from '../../access/errors.ts'
import { requirePermission, requireWholeProfile } from '../../access/principal.ts'
import { isSameJson } from '../../job/execution/payload.ts'
import { NOTIFICATION_KINDS } from '../../store/notifications.ts'
import type { TenantSettings } from '../../store/settings.ts'
import type { TenantConcurrency } from '../../store/tenants.ts'
import { type Locale, requireLocale } from '../../time/locale.ts'
import { FieldProblems, pointerTo } from '../field-problems.ts'
import type { OutboundRules } from '../outbound/target.ts'
import { maximumConcurrency, type Scope } from '../scope.ts'
import { readAddress, readFlag, readInteger, readList } from '../sent-values.ts'
import { requestedRules } from './approval-rules.ts'
import { type SettingsView, storeSettings, viewOfSettings } from './store-settings.ts'
import { type GivenWebhook, namedWebhooks, readKind, readWebhook, type WebhookFields } from './webhooks.ts'

/** What may be sent: what is absent stays. */
export type SettingsUpdate = Partial<Omit<TenantSettings, 'webhooks' | 'pending'>> & {
  readonly webhooks?: readonly WebhookFields[] | undefined
  /** May be sent back as it was read. */
  readonly pending?: SettingsView['pending'] | undefined
}

type Asked = Partial<Omit<TenantSettings, 'webhooks' | 'pending'> & { readonly webhooks: readonly GivenWebhook[] }>

const MAX_ADDRESSES = 50
const MAX_WEBHOOKS = 20
const MAX_DIGEST_MINUTES = 24 * 60
const MAX_CONCURRENCY = 100_000

export async function getSettings(scope: Scope): Promise<SettingsView> {
  requirePermission(scope.principal, 'jobs:read')
  return viewOfSettings(await scope.settings())
}

/** Whoever is of a tenant is told things in its language, whatever else he may know. */
export async function tenantLanguage(scope: Scope): Promise<Locale> {
  return (await scope.settings()).settings.language
}

/** Changes what is sent; the rest stays. A looser approval rule waits for a second Admin. */
export async function changeSettings(
  scope: Scope,
  { pending, ...change }: SettingsUpdate,
  expectedVersion: number | null,
): Promise<SettingsView> {
  requireWholeProfile(scope.principal, 'Admin')
  const { webhooks: given, allowsSelfApproval, ...others } = readSettings(change, scope.rules.webhooks)
  let secrets: ReadonlyMap<string, string> = new Map()
  const stored = await storeSettings(scope, expectedVersion, (before) => {
    requireWithinMaximum(scope, before.concurrency, others.concurrency)
    refuseOtherPending(viewOfSettings({ settings: before, version: 0 }).pending, pending)
    const { rules, event } = requestedRules(scope, before, allowsSelfApproval ?? before.allowsSelfApproval)
    const named = namedWebhooks(scope, before.webhooks, given ?? before.webhooks)
    secrets = named.secrets
    const settings = { ...before, ...others, ...rules, webhooks: named.webhooks }
    return { operation: 'JOBS_SETTINGS_UPDATE', settings, event }
  })
  // A generated secret is part of this response and of no other.
  const webhooks = stored.webhooks.map((webhook) => {
    const secret = secrets.get(webhook.id)
    return secret === undefined ? webhook : { ...webhook, secret }
  })
  return { ...stored, webhooks }
}

/** A cap above the maximum that was stored before may be sent back. */
function requireWithinMaximum(scope: Scope, before: TenantConcurrency, asked: TenantConcurrency | undefined): void {
  const maximum = maximumConcurrency(scope)
  if (asked === undefined || asked === null || asked === before) return
  if (asked !== 'unlimited' && asked <= maximum) return
  const message = `concurrency must be at most ${maximum}, got ${asked}. The operator of the service sets this maximum.`
  throw new ForbiddenError('concurrency.over_maximum', message, { maximum, received: asked })
}

/** Only the approval routes change it. */
function refuseOtherPending(stored: SettingsView['pending'], sent: SettingsView['pending'] | undefined): void {
  if (sent === undefined || isSameJson(sent, stored)) return
  const problems = new FieldProblems()
  const message = 'This field cannot be set. It may be sent back as it was read.'
  problems.add('/pending', 'read_only_field', message, { name: 'pending' })
  problems.throwIfAny()
}

type Readers = { readonly [Name in keyof Asked]-?: (value: unknown) => Asked[Name] }

/** What was sent, checked; all that is wrong with it is told at once. */
function readSettings(change: SettingsUpdate, rules: OutboundRules): Asked {
  const readers: Readers = {
    adminAddresses: (value) => readList(value, 'adminAddresses', MAX_ADDRESSES, readAddress),
    mailEvents: (value) => readList(value, 'mailEvents', NOTIFICATION_KINDS.length, readKind),
    digestMinutes: (value) => readInteger(value, 'digestMinutes', 0, MAX_DIGEST_MINUTES),
    language: requireLocale,
    concurrency: readConcurrency,
    allowsSelfApproval: (value) => readFlag(value, 'allowsSelfApproval'),
    allowsSeconds: (value) => readFlag(value, 'allowsSeconds'),
    webhooks: (value) => readList(value, 'webhooks', MAX_WEBHOOKS, (webhook) => readWebhook(webhook, rules)),
  }
  const problems = new FieldProblems()
  const asked: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || name === 'version') continue
    if (!Object.hasOwn(readers, name)) problems.add(pointerTo(name), 'unknown_field', 'There is no such setting.')
    else asked[name] = problems.read(pointerTo(name), 'value_unknown', () => readers[name as keyof Readers](value))
  }
  problems.throwIfAny()
  return asked
}

function readConcurrency(value: unknown): TenantConcurrency {
  if (value === null || value === 'unlimited') return value
  return readInteger(value, 'concurrency', 1, MAX_CONCURRENCY)
}
