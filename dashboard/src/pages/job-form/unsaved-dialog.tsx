import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { formTexts } from './texts.ts'

/** Asks before what was typed is lost. */
export function UnsavedDialog({ onLeave, onStay }: { readonly onLeave: () => void; readonly onStay: () => void }) {
  const texts = formTexts.value
  return (
    <Dialog
      title={texts.unsavedTitle}
      onClose={onStay}
      actions={
        <>
          <Button tone="danger" onClick={onLeave}>
            {texts.leave}
          </Button>
          <Button tone="primary" onClick={onStay}>
            {texts.stay}
          </Button>
        </>
      }
    >
      <p>{texts.unsavedText}</p>
    </Dialog>
  )
}
