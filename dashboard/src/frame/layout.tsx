import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { liveState } from '../live/live.ts'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Account } from './account.tsx'
import { CommandPalette } from './command-palette.tsx'
import { Navigation } from './navigation.tsx'
import { closeNotice, notices } from './notices.ts'
import { frameTexts } from './texts.ts'

/** What stands around every page. */
export function Layout({ children }: { readonly children: ComponentChildren }) {
  const isMenuOpen = useSignal(false)
  const isPaletteOpen = useSignal(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      isPaletteOpen.value = !isPaletteOpen.value
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isPaletteOpen])
  const texts = frameTexts.value
  return (
    <div class="layout">
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to the content; only how it gets there is ours. */}
      <a class="skip" href="#content" onClick={skipToContent}>
        {texts.skip}
      </a>
      <aside class="sidebar">
        <Brand />
        <Navigation />
      </aside>
      <header class="top-bar">
        <span class="only-narrow">
          <Button tone="quiet" icon="menu" label={texts.menu} onClick={() => (isMenuOpen.value = true)} />
        </span>
        <button
          type="button"
          class="search-button"
          aria-keyshortcuts="Control+K"
          onClick={() => (isPaletteOpen.value = true)}
        >
          <Icon name="search" />
          <span>{texts.search}</span>
          <kbd>Ctrl K</kbd>
        </button>
        <LiveBadge />
        <Account />
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      {isMenuOpen.value && <MenuDrawer onClose={() => (isMenuOpen.value = false)} />}
      {isPaletteOpen.value && <CommandPalette onClose={() => (isPaletteOpen.value = false)} />}
      <NoticeList />
    </div>
  )
}

/** With a `<base>`, a link to a part of the page would lead to the start. */
function skipToContent(event: Event): void {
  event.preventDefault()
  document.getElementById('content')?.focus()
}

function Brand() {
  return (
    <div class="brand">
      <img src="pontual.svg" alt="" width="28" height="28" />
      <span>Pontual</span>
    </div>
  )
}

function MenuDrawer({ onClose }: { readonly onClose: () => void }) {
  const drawer = useRef<HTMLDialogElement>(null)
  const [location] = useLocation()
  const openedAt = useRef(location)
  useEffect(() => drawer.current?.showModal(), [])
  useEffect(() => {
    if (location !== openedAt.current) onClose()
  }, [location, onClose])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too; the click is one beside it.
    <dialog
      ref={drawer}
      class="drawer"
      aria-label={frameTexts.value.menu}
      onCancel={onClose}
      onClick={(event) => {
        if (event.target === drawer.current) onClose()
      }}
    >
      <div>
        <header>
          <Brand />
          <Button tone="quiet" icon="close" label={frameTexts.value.close} onClick={onClose} />
        </header>
        <Navigation onGo={onClose} />
      </div>
    </dialog>
  )
}

/** Whether what is on the page is what is. */
function LiveBadge() {
  const state = liveState.value
  return (
    <span class={`live ${state}`} role="status">
      <span class="live-dot" aria-hidden="true" />
      <span class="live-text">{frameTexts.value.live[state]}</span>
    </span>
  )
}

/** What was just said, read out as it comes. */
function NoticeList() {
  return (
    <section class="notices" aria-label={frameTexts.value.notices} aria-live="polite">
      {notices.value.map(({ id, tone, text }) => (
        <div key={id} class={`notice ${tone}`}>
          <p>{text}</p>
          <Button isSmall tone="quiet" icon="close" label={frameTexts.value.close} onClick={() => closeNotice(id)} />
        </div>
      ))}
    </section>
  )
}
