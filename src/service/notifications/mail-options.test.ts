import { describe, expect, it } from 'vitest'
import { type MailOptions, mailRules, publicUrlOf } from './mail-options.ts'

const FROM = { from: 'jobs@example.com' }

describe('a mail server', () => {
  it.each<[string, MailOptions, object]>([
    [
      'by its host',
      { ...FROM, host: 'mail.example.com' },
      { host: 'mail.example.com', port: 587, isSecure: false, requiresTls: true, auth: null },
    ],
    ['at the port of TLS', { ...FROM, host: 'mail.example.com', port: 465 }, { isSecure: true }],
    [
      'by its URL',
      { ...FROM, url: 'smtp://ana%40x:p%3Aw@mail.example.com:2525' },
      { host: 'mail.example.com', port: 2_525, auth: { user: 'ana@x', pass: 'p:w' }, requiresTls: true },
    ],
    ['by a secure URL', { ...FROM, url: 'smtps://mail.example.com' }, { port: 465, isSecure: true, auth: null }],
    ['in a private network', { ...FROM, url: 'smtp://10.0.0.2' }, { host: '10.0.0.2', requiresTls: true }],
    ['in the open, where that is wanted', { ...FROM, host: 'relay', tls: 'optional' }, { requiresTls: false }],
    ['on this machine', { ...FROM, url: 'smtp://localhost:1025' }, { requiresTls: false }],
    ['on this machine, IPv6', { ...FROM, url: 'smtp://[::1]:1025' }, { host: '::1', requiresTls: false }],
    [
      'with a name of the sender',
      { from: 'Jobs e Tarefas <jobs@example.com>', host: 'm' },
      { from: { name: 'Jobs e Tarefas', address: 'jobs@example.com' } },
    ],
  ])('%s', (_what, options, expected) => {
    expect(mailRules(options)).toMatchObject(expected)
  })

  it.each<[string, object]>([
    ['without a sender', { host: 'm' }],
    ['without a host', FROM],
    ['of another protocol', { ...FROM, url: 'https://mail.example.com' }],
    ['that is no URL', { ...FROM, url: 'mail.example.com' }],
    ['with a URL and a host', { ...FROM, url: 'smtp://mail.example.com', host: 'm' }],
    ['with a line in the name of its sender', { host: 'm', from: 'Jobs\r\nBcc: x@evil.example <jobs@example.com>' }],
    ['with two senders', { host: 'm', from: 'a@example.com, b@example.com' }],
    ['with an option nobody knows', { ...FROM, host: 'm', pasword: 'x' }],
    ['with a rule nobody knows', { ...FROM, host: 'm', tls: 'never' }],
  ])('%s is refused', (_what, options) => {
    expect(() => mailRules(options as MailOptions)).toThrow(/must be|has no field/)
  })

  it.each(['smpt://ana:hunter2@mail.example.com', 'smtp://ana:hunter2%zz@mail.example.com'])(
    'is refused without its password being told: %s',
    (url) => {
      expect(() => mailRules({ ...FROM, url })).toThrow(/^(?!.*hunter2).*mail\.url/)
    },
  )
})

it.each([
  ['https://jobs.example.com', 'https://jobs.example.com'],
  ['https://example.com/pontual/', 'https://example.com/pontual'],
  ['http://localhost:3000', 'http://localhost:3000'],
])('links begin with %s', (given, expected) => {
  expect(publicUrlOf(given)).toBe(expected)
})

it.each(['jobs.example.com', 'javascript:alert(1)', 'https://a:b@example.com', 'https://example.com/?x=1'])(
  'links do not begin with %s',
  (given) => {
    expect(() => publicUrlOf(given)).toThrow('publicUrl must be')
  },
)
