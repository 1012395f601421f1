import { createHmac } from 'node:crypto'
import type { Webhook } from '../../store/settings.ts'
import type { OutboundRequest } from '../outbound/send.ts'
import { wireInstant } from '../wire-value.ts'
import { addressOf } from './mail-document.ts'
import type { Told } from './told.ts'

export interface WebhookContents {
  readonly told: Told
  /** The same, however often it is sent. */
  readonly deliveryId: string
  readonly webhook: Webhook
  readonly publicUrl: string | null
  readonly now: number
}

/** What is sent to a webhook, signed so that whoever knows its secret can tell who sent it, when, and that nobody changed it. */
export function webhookRequest({ told, deliveryId, webhook, publicUrl, now }: WebhookContents): OutboundRequest {
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
