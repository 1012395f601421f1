import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { frameTexts } from '../frame/texts.ts'
import { Button } from './button.tsx'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
  /** Controls at its end, the one that is meant last. */
  readonly actions?: ComponentChildren
  readonly size?: 'small' | 'large'
}

/** Something that is settled before anything else is done. The browser keeps the focus in it and gives it back. */
export function Dialog({ title, onClose, children, actions, size = 'small' }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  // Text that is selected from a field to beyond the edge is no click beside it.
  const isPressedBeside = useRef(false)
  const titleId = useId()
  useEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => shown?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too; the click is one beside it.
    <dialog
      ref={dialog}
      class={`dialog ${size}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onPointerDown={({ target }) => {
        isPressedBeside.current = target === dialog.current
      }}
      onClick={(event) => {
        const isBeside = isPressedBeside.current && event.target === event.currentTarget
        if (isBeside && !holdsFields(event.currentTarget)) onClose()
      }}
    >
      <div class="dialog-body">
        <header>
          <h2 id={titleId}>{title}</h2>
          <Button tone="quiet" icon="close" label={frameTexts.value.close} onClick={onClose} />
        </header>
        <div class="dialog-content">{children}</div>
        {actions && <footer>{actions}</footer>}
      </div>
    </dialog>
  )
}

/** What may hold something that somebody has typed is not closed by a slip of the hand. */
function holdsFields(dialog: HTMLDialogElement): boolean {
  return dialog.querySelector('input, select, textarea') !== null
}

interface ConfirmProps {
  readonly title: string
  readonly children: ComponentChildren
  readonly confirm: string
  readonly isDanger?: boolean
  readonly isBusy?: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks once more before something is done. */
export function Confirm({
  title,
  children,
  confirm,
  isDanger = false,
  isBusy = false,
  onConfirm,
  onClose,
}: ConfirmProps) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{frameTexts.value.cancel}</Button>
          <Button tone={isDanger ? 'danger' : 'primary'} isBusy={isBusy} onClick={onConfirm}>
            {confirm}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
