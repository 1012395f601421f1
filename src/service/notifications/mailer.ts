import { createTransport } from 'nodemailer'
import type { MailRules } from './mail-options.ts'

export interface Mail {
  /** The same, however often it is sent: who gets it twice can tell. */
  readonly messageId: string
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly at: number
}

export interface Mailer {
  /** Gives those who were refused. Throws where nobody was reached. */
  send(mail: Mail): Promise<readonly string[]>
}

/** What is read of the answer. */
interface SentInfo {
  readonly rejected: readonly (string | { readonly address: string })[]
}

const CONNECTING_MS = 10_000
const SILENT_MS = 20_000

/** Sends mails to a server. Addresses go as they are, never as text that would have to be taken apart. */
export function mailerTo({ host, port, isSecure, requiresTls, auth, from }: MailRules): Mailer {
  const transport = createTransport({
    host,
    port,
    secure: isSecure,
    requireTLS: requiresTls,
    // Where it need not be secret at all, a certificate that nobody vouches for is better than none.
    ...(!requiresTls && !isSecure && { tls: { rejectUnauthorized: false } }),
    ...(auth && { auth }),
    connectionTimeout: CONNECTING_MS,
    greetingTimeout: CONNECTING_MS,
    socketTimeout: SILENT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ messageId, to, subject, text, html, at }) {
      const { rejected } = (await transport.sendMail({
        from,
        to: to.map((address) => ({ name: '', address })),
        envelope: { from: from.address, to: [...to] },
        messageId,
        date: new Date(at),
        subject,
        text,
        html,
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      })) as SentInfo
      return rejected.map((each) => (typeof each === 'string' ? each : each.address))
    },
  }
}
