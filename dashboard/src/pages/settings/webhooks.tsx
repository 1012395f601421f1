import type { NotificationKind } from '../../../../src/store/notifications.ts'
import { Button } from '../../parts/button.tsx'
import { CheckList } from '../../parts/check-list.tsx'
import { TextField } from '../../parts/field.tsx'
import { Secret } from '../../parts/secret.tsx'
import { eventOptions } from './events.ts'
import { settingsTexts } from './texts.ts'

export interface EditedWebhook {
  /** Absent for one that is not stored yet. */
  readonly id?: string | undefined
  readonly url: string
  readonly events: readonly NotificationKind[]
  /** Only right after it was made. */
  readonly secret?: string | undefined
}

interface WebhooksProps {
  readonly webhooks: readonly EditedWebhook[]
  readonly onChange: (webhooks: readonly EditedWebhook[]) => void
  readonly problemAt: (start: string) => string | undefined
}

/** Addresses that are called when something happens. */
export function Webhooks({ webhooks, onChange, problemAt }: WebhooksProps) {
  const texts = settingsTexts.value
  const put = (at: number, change: Partial<EditedWebhook>) =>
    onChange(webhooks.map((webhook, index) => (index === at ? { ...webhook, ...change } : webhook)))
  return (
    <fieldset class="checks">
      <legend>{texts.webhooks}</legend>
      {webhooks.map((webhook, at) => (
        <div class="webhook" key={webhook.id ?? at}>
          <TextField
            label={texts.url}
            type="url"
            value={webhook.url}
            problem={problemAt(`/webhooks/${at}`)}
            onInput={(url) => put(at, { url })}
          />
          <CheckList
            legend={texts.event}
            options={eventOptions()}
            chosen={webhook.events}
            onChange={(events) => put(at, { events })}
          />
          {webhook.secret !== undefined && (
            <>
              <p>{texts.secretOnce}</p>
              <Secret text={webhook.secret} />
            </>
          )}
          <div>
            <Button
              isSmall
              tone="danger"
              icon="trash"
              label={texts.removeWebhook(webhook.url)}
              onClick={() => onChange(webhooks.filter((_, index) => index !== at))}
            />
          </div>
        </div>
      ))}
      <div>
        <Button isSmall icon="plus" onClick={() => onChange([...webhooks, { url: '', events: [] }])}>
          {texts.addWebhook}
        </Button>
      </div>
    </fieldset>
  )
}
