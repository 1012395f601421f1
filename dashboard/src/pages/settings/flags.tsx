import { useSignal } from '@preact/signals'
import { ask } from '../../api/ask.ts'
import { useCommand } from '../../api/commands.ts'
import { useAnswer } from '../../api/questions.ts'
import type { FlagView } from '../../api/wire.ts'
import { Answer } from '../../parts/answer.tsx'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { Badge } from '../../parts/status.tsx'
import { isAdmin } from '../../session/session.ts'
import { settingsTexts } from './texts.ts'

/** What can be switched off. */
export function Flags() {
  const flags = useAnswer<{ readonly items: readonly FlagView[] }>('jobs/flags')
  return (
    <Answer query={flags}>
      {({ items }) => (
        <ul class="flag-list">
          {items.map((flag) => (
            <FlagRow key={flag.featureKey} flag={flag} />
          ))}
        </ul>
      )}
    </Answer>
  )
}

function FlagRow({ flag }: { readonly flag: FlagView }) {
  const texts = settingsTexts.value
  const isAsking = useSignal(false)
  const put = useCommand({
    run: (habilitado: boolean | null) =>
      ask<FlagView>(`jobs/flags/${flag.featureKey}`, { method: 'PUT', body: { habilitado } }),
    done: texts.flagSaved,
    onDone: () => (isAsking.value = false),
  })
  return (
    <li class="flag">
      <div>
        <h2>
          {flag.name}{' '}
          <Badge tone={flag.habilitado ? 'good' : 'bad'}>{flag.habilitado ? texts.flagOn : texts.flagOff}</Badge>
        </h2>
        <p>{flag.description}</p>
        <p class="muted small">
          <code>{flag.featureKey}</code> · {texts.flagSources[flag.source]}
        </p>
      </div>
      {isAdmin() && flag.source !== 'provider' && (
        <div class="row">
          {flag.source === 'stored' && (
            <Button tone="quiet" onClick={() => put.mutate(null)}>
              {texts.toDefault}
            </Button>
          )}
          {flag.habilitado ? (
            <Button tone="danger" onClick={() => (isAsking.value = true)}>
              {texts.switchOff}
            </Button>
          ) : (
            <Button tone="primary" isBusy={put.isPending} onClick={() => put.mutate(true)}>
              {texts.switchOn}
            </Button>
          )}
        </div>
      )}
      {isAsking.value && (
        <Confirm
          title={texts.confirmFlag(flag.name)}
          confirm={texts.switchOff}
          isDanger
          isBusy={put.isPending}
          onConfirm={() => put.mutate(false)}
          onClose={() => (isAsking.value = false)}
        >
          <p>{texts.whileOff(flag.description)}</p>
          {flag.featureKey === 'HANGFIRE_DASHBOARD' && <p>{texts.dashboardOff}</p>}
        </Confirm>
      )}
    </li>
  )
}
