import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** By name in lower case, unfolded and decoded. */
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
  readonly html: string
  /** As it came over the wire. */
  readonly raw: string
}

/** A mail server that keeps what it gets. It can be away, and come back at the same port. */
export class MailInbox implements AsyncDisposable {
  readonly mails: ReceivedMail[] = []
  /** Addresses that it refuses. */
  readonly refused = new Set<string>()
  #server: SMTPServer | null = null
  #port = 0
  #arrivals: (() => void)[] = []

  static async open(): Promise<MailInbox> {
    const inbox = new MailInbox()
    await inbox.listen()
    return inbox
  }

  get port(): number {
    return this.#port
  }

  async listen(): Promise<void> {
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS', 'AUTH'],
      authOptional: true,
      logger: false,
      onRcptTo: ({ address }, _session, callback) =>
        callback(this.refused.has(address) ? new Error('No such mailbox') : null),
      onData: (stream, session, callback) => {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          const { mailFrom, rcptTo } = session.envelope
          const from = mailFrom === false ? '' : mailFrom.address
          this.mails.push(
            received(
              from,
              rcptTo.map(({ address }) => address),
              Buffer.concat(chunks).toString('latin1'),
            ),
          )
          for (const arrived of this.#arrivals.splice(0)) arrived()
          callback()
        })
      },
    })
    server.listen(this.#port, '127.0.0.1')
    await once(server.server, 'listening')
    this.#port = (server.server.address() as AddressInfo).port
    this.#server = server
  }

  async close(): Promise<void> {
    const server = this.#server
    this.#server = null
    if (server) await new Promise<void>((resolve) => server.close(resolve))
  }

  /** Resolves with the next mail. */
  async next(): Promise<ReceivedMail> {
    const index = this.mails.length
    await new Promise<void>((resolve) => this.#arrivals.push(resolve))
    return this.mails[index]!
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

function received(from: string, to: readonly string[], raw: string): ReceivedMail {
  const { headers, body } = partOf(raw)
  const boundary = /boundary="?([^";]+)"?/.exec(headers.get('content-type') ?? '')?.[1]
  const parts = boundary === undefined ? [raw] : body.split(`--${boundary}`).slice(1, -1)
  const texts = parts.map((part) => partOf(part.replace(/^\r\n/, '')))
  const bodyOf = (type: string) => {
    const found = texts.find((part) => part.headers.get('content-type')?.startsWith(type))
    const body = found ? decoded(found.body, found.headers.get('content-transfer-encoding') ?? '') : ''
    return body.replaceAll('\r\n', '\n')
  }
  return { from, to, headers, text: bodyOf('text/plain'), html: bodyOf('text/html'), raw }
}

function partOf(text: string): { headers: ReadonlyMap<string, string>; body: string } {
  const end = text.indexOf('\r\n\r\n')
  const lines = text
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), words(line.slice(colon + 1).trim())] as const
  })
  return { headers: new Map(headers), body: text.slice(end + 4) }
}

/** Encoded words of a header. */
function words(text: string): string {
  return text
    .replaceAll(/\?= =\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_all, kind: string, word: string) =>
      decoded(
        kind.toLowerCase() === 'q' ? word.replaceAll('_', ' ') : word,
        kind.toLowerCase() === 'q' ? 'quoted-printable' : 'base64',
      ),
    )
}

function decoded(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1').toString('utf8')
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
