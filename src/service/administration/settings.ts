import { requirePermission, requireWholeProfile } from '../../access/principal.ts'
import { NOTIFICATION_KINDS } from '../../store/notifications.ts'
import type { TenantSettings } from '../../store/settings.ts'
import type { TenantConcurrency } from '../../store/tenants.ts'
import { type Locale, requireLocale } from '../../time/locale.ts'
import { ConflictError, StaleVersionError } from '../errors.ts'
import { FieldProblems, pointerTo } from '../field-problems.ts'
import { isSameJson } from '../jobs/same-json.ts'
import type { OutboundRules } from '../outbound/target.ts'
import type { Scope } from '../scope.ts'
import { readFlag, readInteger, readList } from '../visible-text.ts'
import { readAddress } from './address.ts'
import {
  changedSecrets,
  type GivenWebhook,
  namedWebhooks,
  readKind,
  readWebhook,
  type WebhookFields,
  type WebhookView,
  withoutSecret,
} from './webhooks.ts'

export type SettingsView = Omit<TenantSettings, 'webhooks'> & {
  readonly webhooks: readonly WebhookView[]
  readonly version: number
}

/** What may be sent: what is absent stays. */
export type SettingsUpdate = Partial<Omit<TenantSettings, 'webhooks'>> & {
  readonly webhooks?: readonly WebhookFields[] | undefined
}

type Asked = Partial<Omit<TenantSettings, 'webhooks'> & { readonly webhooks: readonly GivenWebhook[] }>

const MAX_ADDRESSES = 50
const MAX_WEBHOOKS = 20
const MAX_DIGEST_MINUTES = 24 * 60
const MAX_CONCURRENCY = 100_000
const TRIES = 5

export async function getSettings(scope: Scope): Promise<SettingsView> {
  requirePermission(scope.principal, 'jobs:read')
  const { settings, version } = await scope.settings()
  return viewOf(settings, version)
}

/** Whoever is of a tenant is told things in its language, whatever else he may know. */
export async function tenantLanguage(scope: Scope): Promise<Locale> {
  return (await scope.settings()).settings.language
}

/** Changes what is sent; the rest stays. */
export async function changeSettings(
  scope: Scope,
  change: SettingsUpdate,
  expectedVersion: number | null,
): Promise<SettingsView> {
  requireWholeProfile(scope.principal, 'Admin')
  const asked = readSettings(change, scope.rules.webhooks)
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { settings: before, version } = await scope.settings()
    if (expectedVersion !== null && expectedVersion !== version) throw stale(version, expectedVersion)
    const { webhooks: given, ...others } = asked
    const { webhooks, secrets } = namedWebhooks(scope, before.webhooks, given ?? before.webhooks)
    const settings = { ...before, ...others, webhooks }
    const changed = changedNames(before, settings)
    if (changed.length === 0) return viewOf(before, version)
    const isStored = await scope.store.settings.put({
      tenant: scope.tenant,
      settings,
      expectedVersion: version,
      audit: {
        operation: 'JOBS_SETTINGS_UPDATE',
        userId: scope.by.userId,
        jobId: null,
        executionId: null,
        oldValues: picked(before, changed),
        newValues: { ...picked(settings, changed), ...changedSecrets(before.webhooks, webhooks) },
      },
    })
    // How many may run at once may have changed.
    if (isStored) scope.opened.changed()
    if (isStored) return await shownOnce(scope, secrets)
  }
  throw new ConflictError('settings.contended', 'The settings were changed by others again and again; try again.')
}

/** The settings as they are now, with secrets that nobody is shown again. */
async function shownOnce(scope: Scope, secrets: ReadonlyMap<string, string>): Promise<SettingsView> {
  const stored = await getSettings(scope)
  const webhooks = stored.webhooks.map((webhook) => {
    const secret = secrets.get(webhook.id)
    return secret === undefined ? webhook : { ...webhook, secret }
  })
  return { ...stored, webhooks }
}

function stale(version: number, expected: number): StaleVersionError {
  const message = `The settings were changed since: they are of version ${version}, not ${expected}. Read them again.`
  return new StaleVersionError('stale_version', message, { kind: 'settings', version, expected })
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
    else
      asked[name] = problems.read(pointerTo(name), 'value_unknown', () => readers[name as keyof TenantSettings](value))
  }
  problems.throwIfAny()
  return asked
}

function readConcurrency(value: unknown): TenantConcurrency {
  if (value === null || value === 'unlimited') return value
  return readInteger(value, 'concurrency', 1, MAX_CONCURRENCY)
}

function changedNames(before: TenantSettings, after: TenantSettings): (keyof TenantSettings)[] {
  return (Object.keys(after) as (keyof TenantSettings)[]).filter((name) => !isSameJson(before[name], after[name]))
}

function picked(settings: TenantSettings, names: readonly (keyof TenantSettings)[]): Readonly<Record<string, unknown>> {
  const shown = { ...settings, webhooks: settings.webhooks.map(withoutSecret) }
  return Object.fromEntries(names.map((name) => [name, shown[name]]))
}

function viewOf(settings: TenantSettings, version: number): SettingsView {
  return { ...settings, webhooks: settings.webhooks.map(withoutSecret), version }
}
