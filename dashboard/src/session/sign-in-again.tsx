import { useEffect, useRef } from 'preact/hooks'
import { SignIn, signInTexts } from './sign-in.tsx'

/** Above everything that was open when a session ended: another dialog would keep people from whatever is not in front of it. */
export function SignInAgain() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => shown?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      class="sign-in-again"
      aria-label={signInTexts.value.title}
      onCancel={(event) => event.preventDefault()}
    >
      <SignIn />
    </dialog>
  )
}
