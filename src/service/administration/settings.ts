import { requirePermission, requireWholeProfile } from '../../access/principal.ts'
import type { TenantSettings, Webhook } from '../../store/settings.ts'
import type { TenantConcurrency } from '../../store/tenants.ts'
import { requireLocale } from '../../time/locale.ts'
import { ConflictError, StaleVersionError } from '../errors.ts'
import { FieldProblems, FieldRefusal, pointerTo } from '../field-problems.ts'
import { isSameJson } from '../jobs/same-json.ts'
import { checkTarget, type OutboundRules } from '../outbound/target.ts'
import type { Scope } from '../scope.ts'
import { readFlag, readInteger, readList, readText } from '../visible-text.ts'
import { readAddress } from './address.ts'

export type SettingsView = TenantSettings & { version: number }

const MAX_ADDRESSES = 50
const MAX_WEBHOOKS = 20
const MAX_EVENTS = 50
const MAX_CONCURRENCY = 100_000
const TRIES = 5

export async function getSettings(scope: Scope): Promise<SettingsView> {
  requirePermission(scope.principal, 'jobs:read')
  const { settings, version } = await scope.settings()
  return { ...settings, version }
}

/** Changes what is sent; the rest stays. */
export async function changeSettings(
  scope: Scope,
  change: Partial<TenantSettings>,
  expectedVersion: number | null,
): Promise<SettingsView> {
  requireWholeProfile(scope.principal, 'Admin')
  const asked = readSettings(change, scope.rules.webhooks)
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { settings: before, version } = await scope.settings()
    if (expectedVersion !== null && expectedVersion !== version) throw stale(version, expectedVersion)
    const settings = { ...before, ...asked }
    const changed = changedNames(before, settings)
    if (changed.length === 0) return { ...before, version }
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
        newValues: picked(settings, changed),
      },
    })
    // How many may run at once may have changed.
    if (isStored) scope.opened.changed()
    if (isStored) return await getSettings(scope)
  }
  throw new ConflictError('settings.contended', 'The settings were changed by others again and again; try again.')
}

function stale(version: number, expected: number): StaleVersionError {
  const message = `The settings were changed since: they are of version ${version}, not ${expected}. Read them again.`
  return new StaleVersionError('stale_version', message, { version })
}

type Readers = { readonly [Name in keyof TenantSettings]: (value: unknown) => TenantSettings[Name] }

/** What was sent, checked; all that is wrong with it is told at once. */
function readSettings(change: Partial<TenantSettings>, rules: OutboundRules): Partial<TenantSettings> {
  const readers: Readers = {
    adminAddresses: (value) => readList(value, 'adminAddresses', MAX_ADDRESSES, readAddress),
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

function readWebhook(value: unknown, rules: OutboundRules): Webhook {
  if (typeof value !== 'object' || value === null)
    throw new FieldRefusal('type_invalid', 'A webhook must be an object.')
  const { url, events, ...others } = value as Record<string, unknown>
  if (Object.keys(others).length > 0) throw new FieldRefusal('unknown_field', 'A webhook has a url and events only.')
  const target = checkTarget(readText(url, 'url', { min: 1, max: 2_048 }), rules)
  return {
    url: target.href,
    events: readList(events ?? [], 'events', MAX_EVENTS, (event, name) => readText(event, name, { min: 1, max: 100 })),
  }
}

function changedNames(before: TenantSettings, after: TenantSettings): (keyof TenantSettings)[] {
  return (Object.keys(after) as (keyof TenantSettings)[]).filter((name) => !isSameJson(before[name], after[name]))
}

function picked(settings: TenantSettings, names: readonly (keyof TenantSettings)[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.map((name) => [name, settings[name]]))
}
