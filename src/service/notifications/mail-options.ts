import { invalidOption, requireInteger, requireOneOf, requireOptions, requireText } from '../../time/require.ts'
import { isAddress } from '../sent-values.ts'

/** The mail server of the operator. It may stand in a private network. */
export interface MailOptions {
  /** `smtp://user:password@mail.example.com:587`, or `smtps://…:465` for TLS from the first byte. Takes the place of the fields below. */
  readonly url?: string | undefined
  readonly host?: string | undefined
  /** Default 587; 465 is TLS from the first byte. */
  readonly port?: number | undefined
  readonly user?: string | undefined
  readonly password?: string | undefined
  /** Whom mails are from: `jobs@example.com`, or `Jobs <jobs@example.com>`. */
  readonly from: string
  /** Default `required`, but on this machine itself: what cannot be sent in secret is not sent. `optional`: then it is sent in the open. */
  readonly tls?: 'required' | 'optional' | undefined
}

export interface MailRules {
  readonly host: string
  readonly port: number
  /** TLS from the first byte. */
  readonly isSecure: boolean
  readonly requiresTls: boolean
  readonly auth: { readonly user: string; readonly pass: string } | null
  readonly from: { readonly name: string; readonly address: string }
}

const SECURE_PORT = 465
const SUBMISSION_PORT = 587
const MAX_PORT = 65_535
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/
const FROM = /^(?:([^<>"\p{Cc}\p{Zl}\p{Zp}]*?)\s*<([^<>\s]+)>|([^<>\s]+))$/u

/** The mail server, checked. What is secret about it is in no message. */
export function mailRules(options: MailOptions): MailRules {
  requireOptions(options, 'Mail options', ['url', 'host', 'port', 'user', 'password', 'from', 'tls'])
  const place = options.url === undefined ? placeOf(options) : placeOfUrl(options)
  const tls = requireOneOf(options.tls ?? 'required', 'mail.tls', ['required', 'optional'])
  return { ...place, requiresTls: tls === 'required' && !LOOPBACK.test(place.host), from: senderOf(options.from) }
}

type Place = Pick<MailRules, 'host' | 'port' | 'isSecure' | 'auth'>

function placeOf({ host, port = SUBMISSION_PORT, user, password }: MailOptions): Place {
  return {
    host: requireText(host, 'mail.host'),
    port: requireInteger(port, 'mail.port', 1, MAX_PORT),
    isSecure: port === SECURE_PORT,
    auth: user === undefined ? null : { user, pass: password ?? '' },
  }
}

function placeOfUrl({ url = '', host, port, user, password }: MailOptions): Place {
  const found = URL.canParse(url) ? new URL(url) : null
  const isSecure = found?.protocol === 'smtps:'
  const isOnlyUrl = [host, port, user, password].every((each) => each === undefined)
  const auth = found && credentialsOf(found)
  if (!found || !auth || !isOnlyUrl || found.hostname === '' || (!isSecure && found.protocol !== 'smtp:')) {
    // Never as it was received: there is a password in it.
    throw invalidOption(
      '…',
      'mail.url',
      'a URL such as smtp://user:password@mail.example.com:587, and nothing beside it',
    )
  }
  return {
    host: found.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: found.port === '' ? (isSecure ? SECURE_PORT : SUBMISSION_PORT) : Number(found.port),
    isSecure: isSecure || found.port === String(SECURE_PORT),
    auth: auth.user === '' ? null : auth,
  }
}

/** null where they are not percent-encoded as in a URL. */
function credentialsOf({ username, password }: URL): { readonly user: string; readonly pass: string } | null {
  try {
    return { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
  } catch {
    return null
  }
}

function senderOf(from: string): MailRules['from'] {
  const parts = FROM.exec(requireText(from, 'mail.from'))
  const address = parts?.[2] ?? parts?.[3] ?? ''
  if (isAddress(address)) return { name: parts?.[1] ?? '', address }
  throw invalidOption(from, 'mail.from', 'an address such as "jobs@example.com" or "Jobs <jobs@example.com>"')
}

/** Where people find the service, without the slash at its end. */
export function publicUrlOf(text: string): string {
  const url = URL.canParse(requireText(text, 'publicUrl')) ? new URL(text) : null
  const isPlain = url && url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (isPlain && (url.protocol === 'https:' || url.protocol === 'http:')) return url.href.replace(/\/+$/, '')
  throw invalidOption(text, 'publicUrl', 'a URL such as https://jobs.example.com')
}
