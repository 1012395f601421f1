import type { CachePlace, CacheStore } from '../cache.ts'
import type { LogLine, LogStore, NewLogLine, TenantLogStore } from '../logs.ts'
import type { RequestKey, RequestStore } from '../requests.ts'
import { isSealed } from '../sealed-text.ts'
import type { SettingsStore, TenantSettings, Webhook } from '../settings.ts'
import type { Box, Place } from './box.ts'
import type { Boxes } from './boxes.ts'
import { boxesOfExecutions } from './encrypted-leases.ts'
import type { Owners } from './owners.ts'
import { openText, openWords, outputOf, sealText, sealWords } from './sealed-body.ts'

export const lineAt = (id: string, sequence: number | string, column: string): Place => ({
  table: 'execution_logs',
  id: `${id}/${sequence}`,
  column,
})

/** What handlers say holds what they were given. */
export function encryptedLogs(logs: LogStore, boxes: Boxes, owners: Owners): LogStore {
  const boxOfEach = boxesOfExecutions(boxes, owners)
  return {
    ...encryptedTenantLogs(logs, boxes, owners),
    async append(lines) {
      const boxOf = await boxOfEach(lines.map(({ executionId }) => executionId))
      return await logs.append(lines.map((line) => sealLine(boxOf(line.executionId), line)))
    },
  }
}

export function encryptedTenantLogs(logs: TenantLogStore, boxes: Boxes, owners: Owners): TenantLogStore {
  const boxOfEach = boxesOfExecutions(boxes, owners)
  return {
    async read(query) {
      const lines = await logs.read(query)
      if (lines.length === 0) return lines
      const box = (await boxOfEach([query.executionId]))(query.executionId)
      return lines.map((line) => openLine(box, line))
    },
    // Sealed texts are longer by a third, and nobody wrote that third.
    size: async (executionId) => Math.floor((await logs.size(executionId)) * 0.75),
  }
}

function sealLine(box: Box | null, line: NewLogLine): NewLogLine {
  const { executionId: id, sequence, message, fields } = line
  return {
    ...line,
    message: sealWords(box, lineAt(id, sequence, 'message'), message),
    fields: sealText(box, lineAt(id, sequence, 'fields'), fields),
  }
}

function openLine(box: Box | null, line: LogLine): LogLine {
  const { executionId: id, sequence, message, fields } = line
  const opened = openText(box, lineAt(id, sequence, 'fields'), fields)
  return {
    ...line,
    message: openWords(box, lineAt(id, sequence, 'message'), message),
    fields: opened?.startsWith('!') ? null : opened,
  }
}

/** A hash of an input would tell it to whoever can guess it. The output is kept as the execution that made it has it. */
export function encryptedCache(cache: CacheStore, boxes: Boxes): CacheStore {
  const placesOf = async <Wanted extends CachePlace>(wanted: readonly Wanted[]): Promise<Wanted[]> => {
    const boxOf = await boxes.needed(wanted.map(({ tenant }) => tenant))
    return wanted.map((place) => ({ ...place, hash: boxOf(place.tenant).hash('cache', place.hash) }))
  }
  return {
    async find(places) {
      const hidden = await placesOf(places)
      const boxOf = await boxes.of(places.map(({ tenant }) => tenant))
      const shown = new Map(hidden.map(({ hash }, index) => [hash, places[index]?.hash ?? hash]))
      return (await cache.find(hidden)).map((result) => ({
        ...result,
        hash: shown.get(result.hash) ?? result.hash,
        output: openText(boxOf(result.tenant), outputOf(result.executionId), result.output),
      }))
    },
    put: async (results) => await cache.put(await placesOf(results)),
    async clear(filter, limit) {
      if (filter.hash === undefined) return await cache.clear(filter, limit)
      const boxOf = await boxes.needed([filter.tenant])
      return await cache.clear({ ...filter, hash: boxOf(filter.tenant).hash('cache', filter.hash) }, limit)
    },
  }
}

const answerOf = ({ userId, key }: RequestKey): Place => ({
  table: 'requests',
  id: JSON.stringify([userId, key]),
  column: 'answer_body',
})

/** Answers hold what was asked for, payloads among it. One that cannot be read any more is as one that was never given. */
export function encryptedRequests(requests: RequestStore, boxes: Boxes): RequestStore {
  return {
    ...requests,
    async begin(request) {
      const box = (await boxes.needed([request.tenant]))(request.tenant)
      const begun = await requests.begin({ ...request, fingerprint: box.hash('request', request.fingerprint) })
      if (begun.state !== 'done') return begun
      const body = openText(box, answerOf(request), begun.answer.body)
      if (body.startsWith('!')) return { state: 'mismatch' }
      return { ...begun, answer: { ...begun.answer, body } }
    },
    async finish(request, answer) {
      const box = (await boxes.needed([request.tenant]))(request.tenant)
      await requests.finish(request, { ...answer, body: sealText(box, answerOf(request), answer.body) })
    },
  }
}

type WebhookText = 'secret' | 'url'

const webhookAt = (tenant: string, webhookId: string, column: WebhookText): Place => ({
  table: 'tenant_settings',
  id: JSON.stringify([tenant, webhookId]),
  column,
})

/** Encrypts what webhooks are signed with, and their addresses. */
export function encryptedSettings(settings: SettingsStore, boxes: Boxes): SettingsStore {
  return {
    ...settings,
    async find(tenant) {
      const found = await settings.find(tenant)
      if (!found || found.settings.webhooks.length === 0) return found
      const box = await boxes.one(tenant)
      return {
        ...found,
        settings: withWebhooks(found.settings, (text, id, column) => {
          // Earlier versions stored addresses in plain text; the next change of the settings encrypts them.
          if (column === 'url' && !isSealed(text)) return text
          return openText(box, webhookAt(tenant, id, column), text)
        }),
      }
    },
    async put(change) {
      const { tenant } = change
      if (change.settings.webhooks.length === 0) return await settings.put(change)
      const box = (await boxes.needed([tenant]))(tenant)
      return await settings.put({
        ...change,
        settings: withWebhooks(change.settings, (text, id, column) =>
          sealText(box, webhookAt(tenant, id, column), text),
        ),
      })
    },
  }
}

type WebhookChange = (text: string, id: string, column: WebhookText) => string

function withWebhooks(settings: TenantSettings, change: WebhookChange): TenantSettings {
  return {
    ...settings,
    webhooks: settings.webhooks.map(
      (webhook): Webhook => ({
        ...webhook,
        url: change(webhook.url, webhook.id, 'url'),
        secret: change(webhook.secret, webhook.id, 'secret'),
      }),
    ),
  }
}
