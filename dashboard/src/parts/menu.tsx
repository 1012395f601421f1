import './menu.css'
import type { JSX } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import type { Permission } from '../api/wire.ts'
import { missingPermission } from '../language/names.ts'
import { may } from '../session/session.ts'
import { Icon, type IconName } from './icon.tsx'

export interface MenuItem {
  readonly key: string
  readonly name: string
  readonly icon: IconName
  /** A page to go to, or something to do. */
  readonly href?: string
  readonly onChoose?: () => void
  readonly needs?: Permission
  readonly isDanger?: boolean
}

const STEPS: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** What can be done with one thing, behind one button. It lies over everything, so that no frame cuts it off. */
export function Menu({ label, items }: { readonly label: string; readonly items: readonly MenuItem[] }) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const entries = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]

  const place = () => {
    const [from, shown] = [button.current, menu.current]
    if (!from || !shown) return
    const { bottom, top, right } = from.getBoundingClientRect()
    const fits = bottom + shown.offsetHeight < innerHeight
    shown.style.top = `${fits ? bottom : Math.max(0, top - shown.offsetHeight)}px`
    shown.style.left = `${Math.max(4, right - shown.offsetWidth)}px`
  }
  const opened = ({ newState }: { readonly newState: string }) => {
    if (newState !== 'open') return
    place()
    entries()[0]?.focus()
  }
  const close = () => {
    menu.current?.hidePopover()
    button.current?.focus()
  }
  const move = (event: JSX.TargetedKeyboardEvent<HTMLDivElement>) => {
    if (event.key === 'Tab') close()
    const step = STEPS[event.key]
    if (!step) return
    event.preventDefault()
    const all = entries()
    all[step(all.indexOf(document.activeElement as HTMLElement), all.length)]?.focus()
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        class="button quiet small icon-only"
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        popovertarget={id}
      >
        <Icon name="more" />
      </button>
      <div
        ref={menu}
        id={id}
        class="menu"
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        onToggle={opened}
        onKeyDown={move}
      >
        {items.map((item) => (
          <Entry key={item.key} item={item} onDone={close} />
        ))}
      </div>
    </>
  )
}

function Entry({ item, onDone }: { readonly item: MenuItem; readonly onDone: () => void }) {
  const [, go] = useLocation()
  const isForbidden = item.needs !== undefined && !may(item.needs)
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      class={item.isDanger ? 'danger' : undefined}
      aria-disabled={isForbidden}
      title={isForbidden && item.needs ? missingPermission(item.needs) : undefined}
      onClick={() => {
        if (isForbidden) return
        onDone()
        item.onChoose?.()
        if (item.href !== undefined) go(item.href)
      }}
    >
      <Icon name={item.icon} size={16} />
      {item.name}
    </button>
  )
}
