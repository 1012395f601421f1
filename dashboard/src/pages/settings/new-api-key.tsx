import { useSignal } from '@preact/signals'
import { PROFILES, permissionsOf } from '../../../../src/access/profile.ts'
import { ask } from '../../api/ask.ts'
import { useCommand } from '../../api/commands.ts'
import { Problem } from '../../api/problem.ts'
import type { ApiKeyView, Permission, Profile } from '../../api/wire.ts'
import { frameTexts } from '../../frame/texts.ts'
import { instantOf } from '../../language/wall-time.ts'
import { viewerZone } from '../../language/zone.ts'
import { ProblemBox } from '../../parts/answer.tsx'
import { Button } from '../../parts/button.tsx'
import { CheckList } from '../../parts/check-list.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { SelectField, TextField } from '../../parts/field.tsx'
import { Secret } from '../../parts/secret.tsx'
import { settingsTexts } from './texts.ts'

/** Makes a key, and shows its secret once. */
export function NewApiKey({ onClose }: { readonly onClose: () => void }) {
  const texts = settingsTexts.value
  const name = useSignal('')
  const profile = useSignal<Profile>('Developer')
  const permissions = useSignal<readonly Permission[]>([...permissionsOf('Developer')])
  const expires = useSignal('')
  const make = useCommand({
    run: () =>
      ask<ApiKeyView & { readonly secret: string }>('jobs/api-keys', {
        method: 'POST',
        body: {
          name: name.value.trim(),
          profile: profile.value,
          permissions: permissions.value,
          expiresAt: instantOf(expires.value),
        },
      }),
    showsProblems: true,
  })
  const problem = make.error instanceof Problem ? make.error : null
  const problemAt = (pointer: string) => problem?.fields.find((field) => field.pointer === pointer)?.message
  if (make.data) {
    return (
      <Dialog
        title={make.data.name}
        onClose={onClose}
        actions={
          <Button tone="primary" onClick={onClose}>
            {frameTexts.value.close}
          </Button>
        }
      >
        <p>{texts.keySecret}</p>
        <Secret text={make.data.secret} />
      </Dialog>
    )
  }
  return (
    <Dialog
      title={texts.newKey}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{frameTexts.value.cancel}</Button>
          <Button tone="primary" isBusy={make.isPending} onClick={() => make.mutate()}>
            {texts.newKey}
          </Button>
        </>
      }
    >
      <TextField
        label={texts.keyName}
        isRequired
        value={name.value}
        problem={problemAt('/name')}
        onInput={(value) => (name.value = value)}
      />
      <SelectField
        label={texts.profile}
        value={profile.value}
        options={PROFILES.map((value) => ({ value, name: value }))}
        onChange={(value) => {
          profile.value = value as Profile
          permissions.value = [...permissionsOf(profile.value)]
        }}
      />
      <CheckList
        legend={texts.permissions}
        options={[...permissionsOf(profile.value)].map((value) => ({ value, name: value }))}
        chosen={permissions.value}
        onChange={(chosen) => (permissions.value = chosen)}
      />
      <p class="hint">{texts.permissionsHint}</p>
      <TextField
        label={texts.expires}
        hint={viewerZone.value}
        type="datetime-local"
        value={expires.value}
        problem={problemAt('/expiresAt')}
        onInput={(value) => (expires.value = value)}
      />
      {problem && problem.fields.length === 0 && <ProblemBox error={problem} />}
    </Dialog>
  )
}
