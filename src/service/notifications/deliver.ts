import { createHash, createHmac } from 'node:crypto'
import type { Env } from '../../clock.ts'
import { PontualError } from '../../errors.ts'
import { NonRetryableError } from '../../job/execution/failure.ts'
import { isUnreadable } from '../../job/execution/unreadable.ts'
import type { ClaimedDelivery } from '../../store/notifications.ts'
import type { TenantSettings, Webhook } from '../../store/settings.ts'
import type { EngineStore } from '../../store/store.ts'
import { type OutboundRequest, type Resolve, send } from '../outbound/send.ts'
import { type OutboundRules, TargetForbiddenError } from '../outbound/target.ts'
import { wireInstant } from '../wire-value.ts'
import { addressOf, mailDocument, mailHtml, mailText } from './mail-document.ts'
import type { MailRules } from './mail-options.ts'
import type { Mailer } from './mailer.ts'
import { readTold, type Told } from './told.ts'

export interface DeliverySurroundings {
  readonly env: Env
  readonly store: EngineStore
  readonly now: () => number
  readonly mail: { readonly rules: MailRules; readonly mailer: Mailer } | null
  readonly webhooks: OutboundRules
  readonly publicUrl: string | null
  /** All addresses of a name. Default: what the system says. */
  readonly resolve?: Resolve | undefined
}

/** What became of a try. */
export type DeliveryOutcome =
  | { readonly is: 'sent'; readonly refused: readonly string[] }
  /** `isServerAway`: the next one would fail alike. `reason`: for the log alone, where that is more than tenants are told. */
  | { readonly is: 'failed'; readonly error: string; readonly reason?: string; readonly isServerAway: boolean }
  | { readonly is: 'hopeless'; readonly error: string }

const MAIL_MS = 45_000
const WEBHOOK_MS = 15_000
const GONE = 410

/** Tries to deliver something once. Never throws: whatever goes wrong is an outcome. */
export async function deliver(
  around: DeliverySurroundings,
  delivery: ClaimedDelivery,
  settings: TenantSettings,
): Promise<DeliveryOutcome> {
  try {
    return delivery.channel === 'mail'
      ? await deliverMail(around, delivery, settings)
      : await deliverWebhook(around, delivery, settings)
  } catch (error) {
    const isHopeless = error instanceof TargetForbiddenError || error instanceof NonRetryableError
    return isHopeless ? { is: 'hopeless', error: reasonOf(error) } : failed(error)
  }
}

/** Codes of nodemailer that are about the server, not about this mail. */
const SERVER_CODES: ReadonlySet<string> = new Set([
  'ECONNECTION',
  'ECONNREFUSED',
  'ETIMEDOUT',
  'ESOCKET',
  'EDNS',
  'ETLS',
  'EAUTH',
  'EPROXY',
  'mail.late',
])

/** Tenants read what went wrong. Where the mail server stands, and what it says of its own, is for who operates it. */
function failed(error: unknown): DeliveryOutcome {
  const code = String((error as NodeJS.ErrnoException | null)?.code)
  const reason = reasonOf(error)
  if (!SERVER_CODES.has(code)) return { is: 'failed', error: reason, isServerAway: false }
  return { is: 'failed', error: `The mail server cannot be used: ${code}.`, reason, isServerAway: true }
}

const MAX_REASON_LENGTH = 500

/** On one line, and not all of a long one. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replaceAll(/[\p{Cc}\p{Surrogate}\s]+/gu, ' ').slice(0, MAX_REASON_LENGTH)
}

async function deliverMail(
  around: DeliverySurroundings,
  { id, events, eventCount }: ClaimedDelivery,
  { adminAddresses, language }: TenantSettings,
): Promise<DeliveryOutcome> {
  const { mail, store, publicUrl, env } = around
  if (mail === null) return { is: 'failed', error: 'This process knows no mail server.', isServerAway: true }
  if (adminAddresses.length === 0) return { is: 'hopeless', error: 'There is nobody to tell any more.' }
  if (events.length === 0) return { is: 'hopeless', error: 'There is nothing to tell any more.' }
  const told = await readTold(store.forTenant(events[0]?.tenant ?? ''), events)
  const document = mailDocument({ told, count: eventCount, language, publicUrl })
  const sending = mail.mailer.send({
    messageId: messageIdOf(id, mail.rules),
    to: adminAddresses,
    subject: document.subject,
    text: mailText(document),
    html: mailHtml(document),
    at: events.at(-1)?.at ?? around.now(),
  })
  return { is: 'sent', refused: await within(env, MAIL_MS, sending) }
}

/** The same whenever it is made: of what is told, not of when. */
function messageIdOf(deliveryId: string, { from }: MailRules): string {
  const name = createHash('sha256').update(deliveryId).digest('hex').slice(0, 32)
  return `<pontual.${name}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`
}

async function within<Result>(env: Env, limitMs: number, work: Promise<Result>): Promise<Result> {
  let cancel = () => {}
  const late = new Promise<never>((_, reject) => {
    const message = `The mail server did not take it within ${limitMs} ms.`
    cancel = env.after(limitMs, () => reject(new PontualError('mail.late', message, { limitMs })))
  })
  try {
    return await Promise.race([work, late])
  } finally {
    cancel()
    // What comes after that is of no use to anybody.
    work.catch(() => {})
  }
}

async function deliverWebhook(
  around: DeliverySurroundings,
  { id, webhookId, events }: ClaimedDelivery,
  settings: TenantSettings,
): Promise<DeliveryOutcome> {
  const { env, store, publicUrl, resolve } = around
  const webhook = settings.webhooks.find((each) => each.id === webhookId)
  const [event] = events
  if (!webhook || !event) return { is: 'hopeless', error: 'There is no such webhook any more.' }
  if (isUnreadable(webhook.secret) || isUnreadable(webhook.url)) {
    return { is: 'failed', error: 'Its secret or its address cannot be read.', isServerAway: false }
  }
  const [told] = await readTold(store.forTenant(event.tenant), [event])
  if (!told) return { is: 'hopeless', error: 'There is nothing to tell any more.' }
  const request = webhookRequest({ told, deliveryId: id, webhook, publicUrl, now: around.now() })
  const aborting = new AbortController()
  const cancel = env.after(WEBHOOK_MS, () => aborting.abort(new Error(`No answer within ${WEBHOOK_MS} ms.`)))
  try {
    const { status } = await send(request, { rules: around.webhooks, signal: aborting.signal, resolve, isDirect: true })
    if (status >= 200 && status < 300) return { is: 'sent', refused: [] }
    const error = `It answered with status ${status}.`
    return status === GONE ? { is: 'hopeless', error } : { is: 'failed', error, isServerAway: false }
  } finally {
    cancel()
  }
}

interface WebhookContents {
  readonly told: Told
  /** The same, however often it is sent. */
  readonly deliveryId: string
  readonly webhook: Webhook
  readonly publicUrl: string | null
  readonly now: number
}

/** What is sent to a webhook, signed so that whoever knows its secret can tell who sent it, when, and that nobody changed it. */
function webhookRequest({ told, deliveryId, webhook, publicUrl, now }: WebhookContents): OutboundRequest {
  const body = JSON.stringify(bodyOf(told, publicUrl))
  return {
    url: webhook.url,
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Pontual',
      'x-pontual-event': told.event.kind,
      'x-pontual-delivery': deliveryId,
      'x-pontual-signature': signatureOf(webhook.secret, Math.floor(now / 1_000), body),
    },
    body,
  }
}

/** `t=<unix seconds>,v1=<HMAC-SHA-256 of "<t>.<body>", in hexadecimal>`. */
function signatureOf(secret: string, unixSeconds: number, body: string): string {
  const hash = createHmac('sha256', secret).update(`${unixSeconds}.${body}`).digest('hex')
  return `t=${unixSeconds},v1=${hash}`
}

function bodyOf(told: Told, publicUrl: string | null): object {
  const { event, job, execution } = told
  return {
    id: event.id,
    event: event.kind,
    clienteId: event.tenant,
    at: wireInstant(event.at),
    facts: event.facts,
    job: job && { id: job.id, name: job.name },
    execution: execution && {
      id: execution.id,
      jobType: execution.jobType,
      status: execution.status,
      attempts: execution.attempts,
      errorClass: execution.errorClass,
      error: execution.error && {
        name: execution.error.name,
        code: execution.error.code,
        message: execution.error.message,
      },
    },
    link: addressOf(told, publicUrl),
  }
}
