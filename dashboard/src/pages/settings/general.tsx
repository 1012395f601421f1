import { useSignal } from '@preact/signals'
import type { SettingsView } from '../../../../src/service/administration/store-settings.ts'
import { ask } from '../../api/ask.ts'
import { useCommand } from '../../api/commands.ts'
import { Problem } from '../../api/problem.ts'
import { useAnswer } from '../../api/questions.ts'
import { frameTexts } from '../../frame/texts.ts'
import { LANGUAGES } from '../../language/language.ts'
import { Answer, ProblemBox } from '../../parts/answer.tsx'
import { Button } from '../../parts/button.tsx'
import { CheckList } from '../../parts/check-list.tsx'
import { CheckField, SelectField, TextField } from '../../parts/field.tsx'
import { Section } from '../../parts/page.tsx'
import { isAdmin } from '../../session/session.ts'
import { eventOptions } from './events.ts'
import { PendingRules } from './pending-rules.tsx'
import { settingsTexts } from './texts.ts'
import { type EditedWebhook, Webhooks } from './webhooks.tsx'

/** What the tenant is told, in which language, and how much of it may run. */
export function General() {
  const settings = useAnswer<SettingsView>('jobs/settings', { isLive: false })
  return (
    <Answer query={settings} lines={8}>
      {(found) => (
        <>
          <PendingRules settings={found} onReload={() => void settings.refetch()} />
          <GeneralForm key={found.version} settings={found} onReload={() => void settings.refetch()} />
        </>
      )}
    </Answer>
  )
}

interface GeneralFormProps {
  readonly settings: SettingsView
  readonly onReload: () => void
}

function GeneralForm({ settings, onReload }: GeneralFormProps) {
  const texts = settingsTexts.value
  const draft = useSignal<Draft>({
    ...settings,
    adminAddresses: settings.adminAddresses.join('\n'),
    concurrency: settings.concurrency === null ? '' : String(settings.concurrency),
    digestMinutes: String(settings.digestMinutes),
    webhooks: settings.webhooks,
  })
  const edit = (change: Partial<Draft>) => (draft.value = { ...draft.value, ...change })
  const save = useCommand({
    run: () =>
      ask<SettingsView>('jobs/settings', { method: 'PUT', version: draft.value.version, body: sentOf(draft.value) }),
    done: ({ pending }) => (pending === null ? texts.saved : texts.savedPending),
    showsProblems: true,
    onDone: (saved) => edit({ webhooks: saved.webhooks, version: saved.version }),
  })
  const problem = save.error instanceof Problem ? save.error : null
  const problemAt = (start: string) => problem?.fields.find(({ pointer }) => pointer.startsWith(start))?.message
  const isFixed = !isAdmin()
  return (
    <Section title={texts.tabs.general}>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <div class="form-grid">
          <TextField
            label={texts.addresses}
            hint={texts.addressesHint}
            lines={3}
            value={draft.value.adminAddresses}
            problem={problemAt('/adminAddresses')}
            onInput={(adminAddresses) => edit({ adminAddresses })}
          />
          <div class="stack">
            <SelectField
              label={texts.language}
              value={draft.value.language}
              options={LANGUAGES.map(({ language: value, name }) => ({ value, name }))}
              onChange={(value) => edit({ language: value as SettingsView['language'] })}
            />
            <TextField
              label={texts.digest}
              hint={texts.digestHint}
              value={draft.value.digestMinutes}
              problem={problemAt('/digestMinutes')}
              onInput={(digestMinutes) => edit({ digestMinutes })}
              more={{ inputMode: 'numeric' }}
            />
          </div>
          <div class="stack">
            <TextField
              label={texts.concurrency}
              hint={texts.concurrencyHint}
              value={draft.value.concurrency}
              problem={problemAt('/concurrency')}
              onInput={(concurrency) => edit({ concurrency })}
            />
            <CheckField
              label={texts.selfApproval}
              hint={texts.selfApprovalHint}
              isChecked={draft.value.allowsSelfApproval}
              onChange={(allowsSelfApproval) => edit({ allowsSelfApproval })}
            />
            <CheckField
              label={texts.seconds}
              isChecked={draft.value.allowsSeconds}
              onChange={(allowsSeconds) => edit({ allowsSeconds })}
            />
          </div>
        </div>
        <CheckList
          legend={texts.mailEvents}
          options={eventOptions()}
          chosen={draft.value.mailEvents}
          onChange={(mailEvents) => edit({ mailEvents })}
        />
        <Webhooks webhooks={draft.value.webhooks} problemAt={problemAt} onChange={(webhooks) => edit({ webhooks })} />
        {problem?.status === 412 ? (
          <ProblemBox error={new Error(texts.changed)} onRetry={onReload} />
        ) : (
          problem && <ProblemBox error={problem} />
        )}
        {!isFixed && (
          <div class="row">
            <Button type="submit" tone="primary" isBusy={save.isPending}>
              {frameTexts.value.save}
            </Button>
          </div>
        )}
      </form>
    </Section>
  )
}

interface Draft extends Omit<SettingsView, 'adminAddresses' | 'concurrency' | 'digestMinutes' | 'webhooks'> {
  readonly adminAddresses: string
  readonly concurrency: string
  readonly digestMinutes: string
  readonly webhooks: readonly EditedWebhook[]
}

/** What is typed, as the API takes it; what is no number goes as it stands, so that the server says what is wrong. */
function sentOf({ version: _version, pending: _pending, ...draft }: Draft): object {
  const figure = (text: string) => (/^\d+$/.test(text.trim()) ? Number(text) : text.trim())
  return {
    ...draft,
    adminAddresses: draft.adminAddresses.split(/[\s,;]+/).filter((address) => address !== ''),
    concurrency: draft.concurrency.trim() === '' ? null : figure(draft.concurrency),
    digestMinutes: figure(draft.digestMinutes),
    webhooks: draft.webhooks.map(({ id, url, events }) => ({ ...(id === undefined ? {} : { id }), url, events })),
  }
}
