import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MailInbox } from '../../../test/http/service/mail-inbox.ts'
import { mailRules } from './mail-options.ts'
import { type Mail, mailerTo } from './mailer.ts'

let inbox: MailInbox
beforeEach(async () => {
  inbox = await MailInbox.open()
})
afterEach(() => inbox.close())

const MAIL: Mail = {
  messageId: '<m1@example.com>',
  to: ['ana@example.com'],
  subject: 'Olá',
  text: 'texto é',
  html: '<p>html é</p>',
  at: Date.UTC(2026, 2, 11),
}

const mailer = (change: object = {}) =>
  mailerTo({ ...mailRules({ host: '127.0.0.1', port: inbox.port, from: 'Jobs <jobs@example.com>' }), ...change })

it('a mail arrives with its id, as text and as HTML', async () => {
  expect(await mailer().send(MAIL)).toEqual([])
  const [mail] = inbox.mails
  expect(mail).toMatchObject({ from: 'jobs@example.com', to: ['ana@example.com'] })
  expect(mail?.html.trim()).toBe('<p>html é</p>')
  expect(mail?.text.trim()).toBe('texto é')
  expect(mail?.headers.get('message-id')).toBe('<m1@example.com>')
  expect(mail?.headers.get('from')).toBe('Jobs <jobs@example.com>')
  expect(mail?.headers.get('date')).toBe('Wed, 11 Mar 2026 00:00:00 +0000')
})

describe('S44', () => {
  it('a line in a subject makes no header', async () => {
    await mailer().send({ ...MAIL, subject: 'a\r\nBcc: x@evil.example\r\n\r\nb' })
    const [mail] = inbox.mails
    expect(mail?.to).toEqual(['ana@example.com'])
    expect(mail?.headers.has('bcc')).toBe(false)
    expect(mail?.text.trim()).toBe('texto é')
  })

  it('what is secret is not sent in the open', async () => {
    await expect(mailer({ requiresTls: true }).send(MAIL)).rejects.toThrow(/STARTTLS|TLS/i)
    expect(inbox.mails).toEqual([])
  })
})

it('a server that is away, and one that refuses everybody, are errors', async () => {
  inbox.refused.add('ana@example.com')
  await expect(mailer().send(MAIL)).rejects.toThrow(/rejected|recipient/i)
  await inbox.close()
  await expect(mailer().send(MAIL)).rejects.toThrow('ECONNREFUSED')
})
