import { useEffect, useState } from 'preact/hooks'
import type { AroundNavHandler } from 'wouter-preact'

type Go = () => void

/** Whoever has something that would be lost is asked before the page is left. */
interface Holder {
  /** Where the page is. */
  readonly address: string
  ask(go: Go): void
}

let holder: Holder | null = null

/** Every way to another page leads through here; what only changes the address of this one does not. */
export const aroundNav: AroundNavHandler = (navigate, to, options) => {
  const go = () => navigate(to, options)
  if (holder === null || to.startsWith('?')) go()
  else holder.ask(go)
}

// A window calls its listeners in the order in which they came: this one is there before that of the router, which would leave the page.
addEventListener('popstate', (event) => {
  if (holder === null) return
  event.stopImmediatePropagation()
  // The browser has gone back already.
  history.pushState(null, '', holder.address)
  holder.ask(() => history.back())
})

/** The browser asks in words of its own. */
function beforeUnload(event: BeforeUnloadEvent): void {
  if (holder !== null) event.preventDefault()
}

interface Leaving {
  /** Goes where somebody wants to, once he has said that he means it; null: nobody wants to. */
  readonly leave: Go | null
  readonly stay: Go
  /** Nothing would be lost any more. */
  readonly release: Go
}

/** Holds the page while something on it would be lost: against links, against going back, and against closing the tab. */
export function useLeaving(isHeld: boolean): Leaving {
  const [wanted, setWanted] = useState<Go | null>(null)
  useEffect(() => {
    if (!isHeld) return
    const own: Holder = { address: location.href, ask: (go) => setWanted(() => go) }
    holder = own
    addEventListener('beforeunload', beforeUnload)
    return () => {
      removeEventListener('beforeunload', beforeUnload)
      if (holder === own) holder = null
    }
  }, [isHeld])
  const release = () => {
    holder = null
  }
  return {
    leave:
      wanted &&
      (() => {
        release()
        setWanted(null)
        wanted()
      }),
    stay: () => setWanted(null),
    release,
  }
}
