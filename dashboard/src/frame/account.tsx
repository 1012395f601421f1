import { useSignal } from '@preact/signals'
import { choose, LANGUAGES, type Language, language } from '../language/language.ts'
import { chooseZone, viewerZone, zones } from '../language/zone.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Field, SelectField } from '../parts/field.tsx'
import { canSignOut, session } from '../session/session.ts'
import { signOut } from '../session/sign.ts'
import { chooseTheme, THEMES, type Theme, theme } from '../theme/theme.ts'
import { tell } from './notices.ts'
import { frameTexts } from './texts.ts'

/** Who is signed in, and how he likes to see things. */
export function Account() {
  const isOpen = useSignal(false)
  const texts = frameTexts.value
  return (
    <>
      <Button tone="quiet" icon="person" label={texts.account} onClick={() => (isOpen.value = true)} />
      {isOpen.value && <Preferences onClose={() => (isOpen.value = false)} />}
    </>
  )
}

function Preferences({ onClose }: { readonly onClose: () => void }) {
  const texts = frameTexts.value
  const who = session.value
  const leave = () => {
    signOut().catch((problem: Error) => tell('bad', problem.message))
  }
  return (
    <Dialog
      title={texts.account}
      onClose={onClose}
      actions={
        canSignOut() && (
          <Button icon="external" onClick={leave}>
            {texts.signOut}
          </Button>
        )
      }
    >
      {who && (
        <p>
          <strong>{texts.signedInAs(who.userId, who.profile)}</strong> <span class="muted">{who.clienteId}</span>
        </p>
      )}
      <SelectField
        label={texts.language}
        value={language.value}
        options={LANGUAGES.map(({ language: value, name }) => ({ value, name }))}
        onChange={(value) => choose(value as Language)}
      />
      <SelectField
        label={texts.theme}
        value={theme.value}
        options={THEMES.map((value) => ({ value, name: texts.themes[value] }))}
        onChange={(value) => chooseTheme(value as Theme)}
      />
      <Field label={texts.zone}>
        {(control) => (
          <select {...control} value={viewerZone.value} onChange={(event) => chooseZone(event.currentTarget.value)}>
            {[...new Set([viewerZone.value, ...zones()])].map((zone) => (
              <option key={zone} value={zone}>
                {zone}
              </option>
            ))}
          </select>
        )}
      </Field>
    </Dialog>
  )
}
