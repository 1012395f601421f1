import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { frameTexts } from '../frame/texts.ts'
import { inBoth } from '../language/language.ts'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { session } from './session.ts'
import { signIn } from './sign.ts'

export const signInTexts = inBoth({
  'pt-BR': {
    title: 'Entrar no Pontual',
    credential: 'Chave de API ou token',
    hint: 'Vale para este navegador até a sessão terminar; a chave não fica guardada.',
    submit: 'Entrar',
    required: 'Informe uma chave ou um token',
    switchedOff: 'O painel está desligado para este cliente. Entre com outra chave ou outro token.',
  },
  en: {
    title: 'Sign in to Pontual',
    credential: 'API key or token',
    hint: 'Holds for this browser until the session ends; the key is not kept.',
    submit: 'Sign in',
    required: 'Enter a key or a token',
    switchedOff: 'The dashboard is switched off for this tenant. Sign in with another key or token.',
  },
})

/** Exchanges what somebody has for a session. */
export function SignIn() {
  const credential = useSignal('')
  const problem = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)
  const texts = signInTexts.value
  const isSwitchedOff = session.value?.hasDashboard === false
  useEffect(() => {
    const before = document.title
    document.title = `${texts.title} · Pontual`
    return () => {
      document.title = before
    }
  }, [texts])
  const submit = async (event: Event) => {
    event.preventDefault()
    if (credential.value.trim() === '') {
      problem.value = texts.required
      return
    }
    isBusy.value = true
    try {
      await signIn(credential.value)
    } catch (error) {
      problem.value =
        error instanceof Error && error.message !== 'HTTP 0' ? error.message : frameTexts.value.unreachable
    } finally {
      isBusy.value = false
    }
  }
  return (
    <main class="sign-in">
      <form onSubmit={(event) => void submit(event)} noValidate>
        <img src="pontual.svg" alt="" width="44" height="44" />
        <h1>{texts.title}</h1>
        <TextField
          label={texts.credential}
          hint={texts.hint}
          type="password"
          value={credential.value}
          problem={problem.value ?? (isSwitchedOff ? texts.switchedOff : undefined)}
          onInput={(value) => {
            credential.value = value
            problem.value = undefined
          }}
          more={{ autocomplete: 'current-password', autofocus: true }}
        />
        <Button type="submit" tone="primary" isBusy={isBusy.value}>
          {texts.submit}
        </Button>
      </form>
    </main>
  )
}
