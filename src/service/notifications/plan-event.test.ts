import { describe, expect, it } from 'vitest'
import type { NotificationEvent, NotificationKind } from '../../store/notifications.ts'
import { DEFAULT_SETTINGS } from '../administration/default-settings.ts'
import { pauseAfter, planOf } from './plan-event.ts'

const NOW = Date.UTC(2026, 2, 11, 12, 7)
const HOUR = 3_600_000
const WEBHOOK = { id: 'w1', url: 'https://example.com/', events: [], secret: 's' }

function plan(kind: NotificationKind, change: object = {}, isEnabled = true) {
  const event: NotificationEvent = { id: 'e1', tenant: 'acme', kind, at: NOW - 5, facts: {} }
  const settings = { ...DEFAULT_SETTINGS, adminAddresses: ['ana@example.com'], webhooks: [WEBHOOK], ...change }
  return planOf(event, { settings, isEnabled, now: NOW })
}

const ids = (...given: Parameters<typeof plan>) => plan(...given).deliveries.map(({ id }) => id)

describe('who is told', () => {
  it('one mail and each webhook, at once', () => {
    expect(plan('job.failed')).toEqual({
      eventId: 'e1',
      suppression: null,
      deliveries: [
        { id: 'e1:mail', isDigest: false, channel: 'mail', webhookId: null, dueAt: NOW, expiresAt: NOW + 72 * HOUR },
        { id: 'e1:w1', isDigest: false, channel: 'webhook', webhookId: 'w1', dueAt: NOW, expiresAt: NOW + 24 * HOUR },
      ],
    })
  })

  it.each<[string, string[], Parameters<typeof plan>]>([
    ['no mail where nobody has an address', ['e1:w1'], ['job.failed', { adminAddresses: [] }]],
    ['no mail about what is not wanted', ['e1:w1'], ['alert.opened', { mailEvents: ['job.failed'] }]],
    [
      'no webhook that listens to others',
      ['e1:mail'],
      ['job.failed', { webhooks: [{ ...WEBHOOK, events: ['alert.opened'] }] }],
    ],
    [
      'a test goes to all',
      ['e1:mail', 'e1:w1'],
      ['notification.test', { mailEvents: [], webhooks: [{ ...WEBHOOK, events: ['job.failed'] }] }],
    ],
    [
      'a loosening of the approval rules is mailed to all at once',
      ['e1:mail', 'e1:w1'],
      ['approval_rules.pending', { mailEvents: [], digestMinutes: 15 }],
    ],
    ['a test waits for no digest', ['e1:mail', 'e1:w1'], ['notification.test', { digestMinutes: 15 }]],
  ])('%s', (_what, expected, given) => {
    expect(ids(...given)).toEqual(expected)
  })

  it('nobody', () => {
    const none = { adminAddresses: [], webhooks: [] }
    expect(plan('job.failed', none)).toEqual({ eventId: 'e1', suppression: 'nobody', deliveries: [] })
    expect(plan('job.failed', {}, false)).toEqual({ eventId: 'e1', suppression: 'flag', deliveries: [] })
  })
})

it('a digest is due at the end of its window, which is the same for all', () => {
  const [mail] = plan('job.failed', { digestMinutes: 15 }).deliveries
  const dueAt = Date.UTC(2026, 2, 11, 12, 15)
  expect(mail).toMatchObject({ id: `digest:acme:15:${dueAt}`, isDigest: true, dueAt, expiresAt: dueAt + 72 * HOUR })
})

it.each([
  [1, 30],
  [2, 60],
  [3, 120],
  [4, 240],
  [5, 480],
  [6, 600],
  [7, 600],
  [10_000, 600],
])('after try %i there is a pause of %i s', (attempt, seconds) => {
  expect(pauseAfter(attempt)).toBe(seconds * 1_000)
})
