import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  ana,
  bia,
  fields,
  openStage,
  refusalOf,
  type Stage,
  somebody,
  stranger,
} from '../../../test/http/service/stage.ts'
import { hashSecret } from '../secret.ts'
import type { WebhookFields } from './webhooks.ts'

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
})
afterEach(async () => await stage[Symbol.asyncDispose]())

const operations = async () =>
  (await stage.service.audit.list(ana, { limit: 50 })).items.map(({ operation }) => operation)

describe('settings', () => {
  const update = (change: object, version: number | null = null) =>
    stage.service.administration.updateSettings(ana, change, version)

  it('are the defaults until somebody changes them', async () => {
    expect(await stage.service.administration.settings(bia)).toEqual({
      adminAddresses: [],
      mailEvents: ['job.failed', 'alert.opened', 'alert.closed', 'scheduler.unavailable', 'schedule.refused'],
      digestMinutes: 0,
      language: 'pt-BR',
      concurrency: null,
      allowsSelfApproval: false,
      allowsSeconds: false,
      webhooks: [],
      pending: null,
      version: 0,
    })
  })

  it('change in what is sent, for one tenant, and what changed is recorded', async () => {
    await update({ language: 'en', adminAddresses: ['ana@example.com'] })
    const after = await update({ concurrency: 3, language: 'en' })
    expect(after).toMatchObject({ language: 'en', adminAddresses: ['ana@example.com'], concurrency: 3, version: 2 })
    expect(await stage.service.administration.settings(stranger)).toMatchObject({ version: 0, language: 'pt-BR' })
    const { items } = await stage.service.audit.list(ana, { limit: 1 })
    expect(items).toMatchObject([
      {
        operation: 'JOBS_SETTINGS_UPDATE',
        userId: 'ana',
        oldValues: { concurrency: null },
        newValues: { concurrency: 3 },
      },
    ])
    expect(await update({ language: 'en' })).toMatchObject({ version: 2 })
    expect(await operations()).toHaveLength(2)
  })

  it('hold a cap up to the maximum of the operator', async () => {
    const over = 'ForbiddenError concurrency.over_maximum'
    expect(await update({ concurrency: 100 })).toMatchObject({ concurrency: 100 })
    for (const concurrency of [101, 100_000, 'unlimited']) expect(await refusalOf(update({ concurrency }))).toBe(over)
    await expect(update({ concurrency: 101 })).rejects.toThrow('at most 100, got 101')
    expect(await update({ concurrency: null })).toMatchObject({ concurrency: null })
    await using own = await openStage({}, { maxTenantConcurrency: 3 })
    const { administration } = own.service
    expect(await refusalOf(administration.updateSettings(ana, { concurrency: 4 }, null))).toBe(over)
    const { store } = await own.test.app.opened()
    await store.tenants.limit([{ tenant: 'acme', concurrency: 500 }])
    await administration.updateSettings(ana, { language: 'en' }, null)
    await store.tenants.limit([{ tenant: 'acme', concurrency: 500 }])
    const { version: _version, ...read } = await administration.settings(ana)
    expect(await administration.updateSettings(ana, { ...read, language: 'pt-BR' }, null)).toMatchObject({
      concurrency: 500,
    })
  })

  it('of a version that somebody else has changed are stale', async () => {
    await update({ language: 'en' }, 0)
    expect(await refusalOf(update({ language: 'pt-BR' }, 0))).toBe('StaleVersionError stale_version')
    expect(await update({ language: 'pt-BR' }, 1)).toMatchObject({ version: 2 })
  })

  it.each<[string, object, object]>([
    ['a language nobody speaks', { language: 'fr' }, { '/language': 'value_unknown' }],
    ['room for none', { concurrency: 0 }, { '/concurrency': 'out_of_range' }],
    ['half a room', { concurrency: 1.5 }, { '/concurrency': 'type_invalid' }],
    ['an address that is none', { adminAddresses: ['ana'] }, { '/adminAddresses': 'format_invalid' }],
    [
      'an address that is two',
      { adminAddresses: ['a@example.com,b@example.com'] },
      { '/adminAddresses': 'format_invalid' },
    ],
    [
      'an address with quotes',
      { adminAddresses: ['"x@evil.com y"@example.com'] },
      { '/adminAddresses': 'format_invalid' },
    ],
    [
      'an address with a line',
      { adminAddresses: ['a@example.com\r\nBcc: b@example.com'] },
      { '/adminAddresses': 'characters_forbidden' },
    ],
    [
      'a group of addresses',
      { adminAddresses: ['team:a@example.com,(b:c@example.com;);'] },
      { '/adminAddresses': 'format_invalid' },
    ],
    [
      '10,000 addresses',
      { adminAddresses: Array.from({ length: 10_000 }, (_, n) => `a${n}@example.com`) },
      { '/adminAddresses': 'length_invalid' },
    ],
    [
      '51 addresses',
      { adminAddresses: Array.from({ length: 51 }, (_, n) => `a${n}@example.com`) },
      { '/adminAddresses': 'length_invalid' },
    ],
    [
      'a webhook to oneself',
      { webhooks: [{ url: 'http://127.0.0.1/', events: [] }] },
      { '/webhooks': 'target_forbidden' },
    ],
    [
      'a webhook that is a script',
      { webhooks: [{ url: 'javascript:alert(1)', events: [] }] },
      { '/webhooks': 'target_forbidden' },
    ],
    [
      'a webhook with more',
      { webhooks: [{ url: 'https://example.com', events: [], token: 1 }] },
      { '/webhooks': 'unknown_field' },
    ],
    [
      'a webhook with a secret that is none',
      { webhooks: [{ url: 'https://example.com', events: [], secret: 'short' }] },
      { '/webhooks': 'format_invalid' },
    ],
    [
      'a webhook that listens to what there is not',
      { webhooks: [{ url: 'https://example.com', events: ['job.born'] }] },
      { '/webhooks': 'value_unknown' },
    ],
    [
      'a webhook by an id that nobody gave',
      { webhooks: [{ id: 'w1', url: 'https://example.com', events: [] }] },
      { '/webhooks': 'value_unknown' },
    ],
    ['mail about what there is not', { mailEvents: ['job.born'] }, { '/mailEvents': 'value_unknown' }],
    ['a digest of more than a day', { digestMinutes: 1_441 }, { '/digestMinutes': 'out_of_range' }],
    ['self-approval in text', { allowsSelfApproval: 'yes' }, { '/allowsSelfApproval': 'type_invalid' }],
    ['a setting nobody knows', { role: 'root' }, { '/role': 'unknown_field' }],
  ])('refuse %s', async (_, change, expected) => {
    expect(await refusalOf(update(change))).toEqual(expected)
    expect((await stage.service.administration.settings(ana)).version).toBe(0)
  })

  it('take a webhook and a cap', async () => {
    const webhooks = [{ url: 'https://example.com/hook', events: ['job.failed'] }]
    const shown = [{ url: 'https://example.com/***', events: ['job.failed'] }]
    expect(await update({ webhooks, concurrency: 50 })).toMatchObject({ webhooks: shown, concurrency: 50 })
    expect(await stage.service.overview.workers(ana)).toMatchObject({ cap: 50 })
    await update({ concurrency: null })
    expect(await stage.service.overview.workers(ana)).toMatchObject({ cap: 10 })
  })
})

describe('the secret of a webhook', () => {
  const update = (webhooks: readonly WebhookFields[]) =>
    stage.service.administration.updateSettings(ana, { webhooks }, null)
  const stored = async () => {
    const { store } = await stage.test.app.opened()
    return (await store.settings.find('acme'))?.settings.webhooks.map(({ secret }) => secret)
  }
  const hook = { url: 'https://example.com/hook', events: ['job.failed'] } as const
  const shown = { ...hook, url: 'https://example.com/***' }
  const given = 'given-by-the-owner-0123'

  it('is made, and shown once', async () => {
    const [made] = (await update([hook])).webhooks
    expect(made).toEqual({ ...shown, id: made?.id, secret: made?.secret })
    expect(made?.secret).toMatch(/^[\w-]{43}$/)
    expect(await stored()).toEqual([made?.secret])
    expect((await stage.service.administration.settings(ana)).webhooks).toEqual([{ ...shown, id: made?.id }])
  })

  it('that was given is not repeated', async () => {
    const [made] = (await update([{ ...hook, secret: given }])).webhooks
    expect(made).toEqual({ ...shown, id: made?.id })
    expect(await stored()).toEqual([given])
  })

  it('stays when the settings are sent back as they were read, or with another address', async () => {
    await update([{ ...hook, secret: given }])
    const { webhooks, version } = await stage.service.administration.settings(ana)
    expect(await update(webhooks)).toMatchObject({ version })
    expect(await update([hook])).toMatchObject({ version })
    const moved = { ...webhooks[0]!, url: 'https://example.com/elsewhere' }
    expect((await update([moved])).webhooks).toEqual(webhooks)
    expect(await stored()).toEqual([given])
  })

  it('stays with the webhook that is sent by its id, whatever else has its address', async () => {
    const [made] = (await update([{ ...hook, secret: given }])).webhooks
    const [added, kept] = (await update([hook, { ...hook, id: made!.id }])).webhooks
    expect(kept?.id).toBe(made?.id)
    expect(await stored()).toEqual([added?.secret, given])
  })

  it('is in no audit entry; that it changed is', async () => {
    const secret = 'another-of-the-owner-456'
    const [made] = (await update([{ ...hook, secret: given }])).webhooks
    await update([{ ...hook, secret }])
    const { items } = await stage.service.audit.list(ana, { limit: 2 })
    expect(JSON.stringify(items)).not.toMatch(/owner/)
    expect(items[0]).toMatchObject({ newValues: { changedSecrets: [made?.id] } })
  })
})

describe('the address of a webhook', () => {
  const update = (webhooks: readonly WebhookFields[]) =>
    stage.service.administration.updateSettings(ana, { webhooks }, null)
  const stored = async () => {
    const { store } = await stage.test.app.opened()
    return (await store.settings.find('acme'))?.settings.webhooks.map(({ url }) => url)
  }
  const hook = { url: 'https://hooks.example.com/T0/s3cr3t?token=s3cr3t', events: ['job.failed'] } as const
  const masked = 'https://hooks.example.com/***'

  it('is shown to nobody beyond its host, and is in no audit entry', async () => {
    await update([hook])
    await update([{ ...hook, url: 'https://hooks.example.com/T1/s3cr3t' }])
    await update([])
    for (const who of [ana, bia, somebody('mara', 'Manager')]) {
      expect(JSON.stringify(await stage.service.administration.settings(who))).not.toContain('s3cr3t')
    }
    const { items } = await stage.service.audit.list(ana, { limit: 5 })
    expect(JSON.stringify(items)).not.toContain('s3cr3t')
    expect(items[0]).toMatchObject({ oldValues: { webhooks: [{ url: masked }] } })
  })

  it('stays when it is sent back as it was read, and its change is recorded', async () => {
    await update([hook])
    const { webhooks, version } = await stage.service.administration.settings(ana)
    expect(webhooks).toMatchObject([{ url: masked }])
    expect(await update(webhooks)).toMatchObject({ version })
    await update([{ ...webhooks[0]!, events: [] }])
    expect(await stored()).toEqual([hook.url])
    await update([{ ...webhooks[0]!, url: 'https://hooks.example.com/T1' }])
    expect(await stored()).toEqual(['https://hooks.example.com/T1'])
    const { items } = await stage.service.audit.list(ana, { limit: 1 })
    expect(items[0]).toMatchObject({ newValues: { changedAddresses: [webhooks[0]?.id] } })
  })

  it.each<[string, (id: string) => WebhookFields]>([
    ['without the id of its webhook', () => ({ url: masked, events: [] })],
    ['with another host', (id) => ({ id, url: 'https://evil.example.com/***', events: [] })],
  ])('is refused when it is sent masked %s', async (_how, sent) => {
    const [made] = (await update([hook])).webhooks
    expect(await refusalOf(update([sent(made!.id)]))).toEqual({ '/webhooks': 'hidden_value' })
    expect(await stored()).toEqual([hook.url])
  })

  it('is masked in audit entries that were written with it', async () => {
    const { store } = await stage.test.app.opened()
    const values = { webhooks: [{ id: 'w1', url: hook.url, events: [] }] }
    await store.audit.append([
      {
        tenant: 'acme',
        operation: 'JOBS_SETTINGS_UPDATE',
        userId: 'ana',
        jobId: null,
        executionId: null,
        oldValues: values,
        newValues: values,
      },
    ])
    const { items } = await stage.service.audit.list(ana, { limit: 1 })
    expect(items[0]).toMatchObject({ oldValues: { webhooks: [{ id: 'w1', url: masked }] } })
    expect(JSON.stringify(items)).not.toContain('s3cr3t')
  })
})

describe('an API key', () => {
  const create = (change: object = {}, who = ana) =>
    stage.service.administration.createApiKey(who, { name: 'deploy', profile: 'Developer', ...change })

  it('is shown once, and known by its hash only', async () => {
    const { secret, ...view } = await create({
      expiresAt: '2027-01-01T00:00:00Z',
      permissions: ['jobs:read', 'jobs:read'],
    })
    expect(secret).toMatch(new RegExp(`^pk_${view.id}_[A-Za-z0-9_-]{43}$`))
    expect(view).toMatchObject({
      ownerId: 'ana',
      profile: 'Developer',
      permissions: ['jobs:read'],
      expiresAt: '2027-01-01T00:00:00.000Z',
      revokedAt: null,
    })
    expect(await stage.service.administration.apiKeys(bia)).toEqual([view])
    const { store } = await stage.test.app.opened()
    expect(await store.credentials.findKey(hashSecret(secret))).toMatchObject({ id: view.id, tenant: 'acme' })
    expect(JSON.stringify(await stage.service.audit.list(ana, { limit: 10 }))).not.toContain(secret.slice(-43))
  })

  it('that a key makes belongs to the person behind it', async () => {
    const key = somebody('key:1', 'Admin', { ownerId: 'ana', source: 'apiKey' })
    expect(await create({}, key)).toMatchObject({ ownerId: 'ana' })
  })

  it('is revoked once, and that is recorded', async () => {
    const { id } = await create()
    await stage.service.administration.revokeApiKey(bia, id)
    await stage.service.administration.revokeApiKey(bia, id)
    const [key] = await stage.service.administration.apiKeys(ana)
    expect(key).toMatchObject({ revokedAt: expect.any(String) as unknown })
    expect(await operations()).toEqual(['JOBS_APIKEY_DELETE', 'JOBS_APIKEY_CREATE'])
  })

  it.each<[string, object, unknown]>([
    [
      'a permission its profile has not',
      { profile: 'Manager', permissions: ['jobs:delete'] },
      { '/permissions': 'value_unknown' },
    ],
    ['a permission nobody has', { permissions: ['root'] }, { '/permissions': 'value_unknown' }],
    ['an end that is past', { expiresAt: '2025-01-01T00:00:00Z' }, { '/expiresAt': 'out_of_range' }],
    ['an end that is none', { expiresAt: 'never' }, { '/expiresAt': 'format_invalid' }],
    ['a name of 2 characters', { name: 'ab' }, { '/name': 'length_invalid' }],
  ])('is refused with %s', async (_, change, expected) => {
    expect(await refusalOf(create(change))).toEqual(expected)
  })

  it.each([
    ['Admin', undefined],
    ['Developer', ['jobs:read', 'jobs:create']],
    ['Developer', ['jobs:read']],
  ] as const)('for a %s with %j is not made by an Admin with fewer permissions', async (profile, permissions) => {
    const narrow = somebody('nina', 'Admin', { permissions: new Set(['jobs:read', 'jobs:execute']) })
    expect(await refusalOf(create({ profile, ...(permissions && { permissions }) }, narrow))).toBe(
      'ForbiddenError access.permission_missing',
    )
  })

  it('is one of as many as a tenant may have', async () => {
    await using small = await openStage({}, { keysPerTenant: 1 })
    const { administration } = small.service
    const { id } = await administration.createApiKey(ana, { name: 'one', profile: 'Manager' })
    const another = () => administration.createApiKey(ana, { name: 'two', profile: 'Manager' })
    expect(await refusalOf(another())).toBe('QuotaError quota_exceeded')
    await administration.revokeApiKey(ana, id)
    expect(await refusalOf(another())).toBe('accepted')
  })
})

describe('a calendar', () => {
  const weekdays = { type: 'weekly', weekdays: [0, 6] }

  it('moves the next execution of jobs that name it', async () => {
    const { administration, jobs } = stage.service
    await administration.putCalendar(ana, 'úteis', weekdays)
    const { id, nextExecution } = await jobs.create(ana, fields({ calendar: 'úteis' }))
    expect(nextExecution).toBe('2026-01-01T02:00:00.000Z')
    await administration.putCalendar(bia, 'úteis', { type: 'holiday', dates: ['2026-01-01', '2026-01-02'] })
    expect((await jobs.get(ana, id)).nextExecution).toBe('2026-01-03T02:00:00.000Z')
    expect(await administration.calendars(ana)).toEqual([
      { name: 'úteis', definition: { type: 'holiday', dates: ['2026-01-01', '2026-01-02'] } },
    ])
    expect(await administration.calendars(stranger)).toEqual([])
  })

  it('stays while a job names it', async () => {
    const { administration, jobs } = stage.service
    await administration.putCalendar(ana, 'úteis', weekdays)
    const { id } = await jobs.create(ana, fields({ calendar: 'úteis' }))
    expect(await refusalOf(administration.removeCalendar(ana, 'úteis'))).toBe('ConflictError calendar.in_use')
    await jobs.update(ana, id, { calendar: null })
    await administration.removeCalendar(ana, 'úteis')
    expect(await refusalOf(administration.removeCalendar(ana, 'úteis'))).toBe('NotFoundError not_found')
    expect((await operations()).filter((each) => each.startsWith('JOBS_CALENDAR'))).toEqual([
      'JOBS_CALENDAR_DELETE',
      'JOBS_CALENDAR_UPDATE',
    ])
  })

  it.each<[string, string, unknown, object]>([
    ['of no kind', 'c', { type: 'lunar' }, { '/definition': 'format_invalid' }],
    [
      'with a day that there is not',
      'c',
      { type: 'holiday', dates: ['2026-02-30'] },
      { '/definition': 'format_invalid' },
    ],
    ['with more', 'c', { ...weekdays, x: 1 }, { '/definition': 'format_invalid' }],
    ['without a name', '', weekdays, { '/name': 'format_invalid' }],
    ['with a name that cannot be seen', 'a\u200Bb', weekdays, { '/name': 'format_invalid' }],
  ])('%s is refused', async (_, name, definition, expected) => {
    expect(await refusalOf(stage.service.administration.putCalendar(ana, name, definition))).toEqual(expected)
  })
})
