import { useSignal } from '@preact/signals'
import { ask, withParameters } from '../../api/ask.ts'
import { useCommand } from '../../api/commands.ts'
import { useAnswer } from '../../api/questions.ts'
import type { ApiKeyView } from '../../api/wire.ts'
import { Answer, Empty } from '../../parts/answer.tsx'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { CheckField } from '../../parts/field.tsx'
import { Section } from '../../parts/page.tsx'
import { Badge } from '../../parts/status.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { now, Time } from '../../parts/time.tsx'
import { isAdmin } from '../../session/session.ts'
import { NewApiKey } from './new-api-key.tsx'
import { settingsTexts } from './texts.ts'

/** Keys by which programs ask. */
export function ApiKeys() {
  const texts = settingsTexts.value
  const keys = useAnswer<{ readonly items: readonly ApiKeyView[] }>('jobs/api-keys')
  const isMaking = useSignal(false)
  const revoked = useSignal<ApiKeyView | null>(null)
  return (
    <Section
      title={texts.tabs.keys}
      actions={
        isAdmin() && (
          <Button icon="plus" tone="primary" onClick={() => (isMaking.value = true)}>
            {texts.newKey}
          </Button>
        )
      }
    >
      <Answer query={keys}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon="key" title={texts.noKeys} />
          ) : (
            <Table
              label={texts.tabs.keys}
              rows={items}
              rowKey={({ id }) => id}
              columns={columns((key) => (revoked.value = key))}
            />
          )
        }
      </Answer>
      {isMaking.value && <NewApiKey onClose={() => (isMaking.value = false)} />}
      {revoked.value && <Revoke apiKey={revoked.value} onClose={() => (revoked.value = null)} />}
    </Section>
  )
}

function columns(onRevoke: (key: ApiKeyView) => void): readonly Column<ApiKeyView>[] {
  const texts = settingsTexts.value
  return [
    { key: 'name', title: texts.keyName, cell: ({ name }) => name },
    { key: 'profile', title: texts.profile, cell: ({ profile }) => profile },
    { key: 'owner', title: texts.owner, isMinor: true, cell: ({ ownerId }) => ownerId },
    {
      key: 'created',
      title: texts.created,
      isMinor: true,
      cell: ({ createdAt }) => <Time at={createdAt} hasSeconds={false} />,
    },
    {
      key: 'expires',
      title: texts.expires,
      cell: ({ expiresAt }) => (expiresAt === null ? texts.never : <Time at={expiresAt} hasSeconds={false} />),
    },
    { key: 'used', title: texts.lastUsed, cell: ({ lastUsedAt }) => <Time at={lastUsedAt} as="relative" /> },
    { key: 'state', title: texts.state, cell: (key) => <KeyBadge apiKey={key} /> },
    {
      key: 'revoke',
      title: <span class="visually-hidden">{texts.revoke}</span>,
      width: 'narrow',
      cell: (key) =>
        isAdmin() &&
        key.revokedAt === null && (
          <Button isSmall tone="danger" icon="trash" label={texts.revokeKey(key.name)} onClick={() => onRevoke(key)} />
        ),
    },
  ]
}

function KeyBadge({ apiKey }: { readonly apiKey: ApiKeyView }) {
  const texts = settingsTexts.value
  if (apiKey.revokedAt !== null) return <Badge tone="muted">{texts.revoked}</Badge>
  const isExpired = apiKey.expiresAt !== null && new Date(apiKey.expiresAt).getTime() <= now.value
  return <Badge tone={isExpired ? 'warn' : 'good'}>{isExpired ? texts.expired : texts.valid}</Badge>
}

function Revoke({ apiKey, onClose }: { readonly apiKey: ApiKeyView; readonly onClose: () => void }) {
  const texts = settingsTexts.value
  const keepsJobs = useSignal(false)
  const revoke = useCommand({
    run: () => ask(withParameters(`jobs/api-keys/${apiKey.id}`, { keepJobs: keepsJobs.value }), { method: 'DELETE' }),
    done: texts.keyRevoked,
    onDone: onClose,
  })
  return (
    <Confirm
      title={texts.revokeKey(apiKey.name)}
      confirm={texts.revoke}
      isDanger
      isBusy={revoke.isPending}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      <p>{texts.revokeHint}</p>
      <CheckField label={texts.keepJobs} isChecked={keepsJobs.value} onChange={(value) => (keepsJobs.value = value)} />
    </Confirm>
  )
}
