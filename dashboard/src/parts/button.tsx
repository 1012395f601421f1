import type { ComponentChildren, JSX } from 'preact'
import { Link } from 'wouter-preact'
import type { Permission } from '../api/wire.ts'
import { missingPermission } from '../language/names.ts'
import { may } from '../session/session.ts'
import { Icon, type IconName } from './icon.tsx'

type Tone = 'plain' | 'primary' | 'danger' | 'quiet'

interface ButtonProps {
  readonly children?: ComponentChildren
  readonly onClick?: ((event: JSX.TargetedMouseEvent<HTMLButtonElement>) => void) | undefined
  readonly tone?: Tone
  readonly icon?: IconName
  readonly type?: 'button' | 'submit'
  readonly isDisabled?: boolean
  readonly isBusy?: boolean
  /** Whoever has not this permission sees the control, and why it does nothing. */
  readonly needs?: Permission
  /** What it is called where there is an icon alone. */
  readonly label?: string
  readonly isSmall?: boolean
  readonly pressed?: boolean
}

/** A control; one that may not be used stays reachable, so that its reason is read out too. */
export function Button(props: ButtonProps) {
  const {
    children,
    onClick,
    tone = 'plain',
    icon,
    type = 'button',
    isBusy = false,
    needs,
    label,
    isSmall,
    pressed,
  } = props
  const isForbidden = needs !== undefined && !may(needs)
  const isOff = isForbidden || isBusy || props.isDisabled === true
  return (
    <button
      type={type}
      class={`button ${tone} ${isSmall ? 'small' : ''} ${children === undefined ? 'icon-only' : ''}`}
      aria-disabled={isOff}
      aria-label={label}
      aria-pressed={pressed}
      title={isForbidden ? missingPermission(needs) : children === undefined ? label : undefined}
      onClick={(event) => {
        if (isOff) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {isBusy ? <span class="spinner" aria-hidden="true" /> : icon && <Icon name={icon} size={isSmall ? 16 : 18} />}
      {children !== undefined && <span>{children}</span>}
    </button>
  )
}

/** A way to another page that looks like a control. */
export function ButtonLink({
  href,
  children,
  tone = 'plain',
  icon,
}: {
  readonly href: string
  readonly children: ComponentChildren
  readonly tone?: Tone
  readonly icon?: IconName
}) {
  return (
    <Link href={href} class={`button ${tone}`}>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </Link>
  )
}
