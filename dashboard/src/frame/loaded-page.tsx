import type { ComponentType } from 'preact'
import { useEffect, useErrorBoundary, useState } from 'preact/hooks'
import { apiAddress } from '../api/places.ts'
import { Empty, ProblemBox, Skeleton } from '../parts/answer.tsx'
import { Button } from '../parts/button.tsx'
import { isVisible, PAGES, type RoutedPage } from './pages.ts'
import { frameTexts } from './texts.ts'

/** Fetched once for all visits. */
const loaded = new Map<RoutedPage, ComponentType>()

const AGAIN_MS = 3_000

/** Begins to fetch the page of an address while it is still asked who looks; where that fails, it is fetched again when it is shown. */
export function fetchAhead(path: string): void {
  const page = PAGES.find((each) => (typeof each.path === 'string' ? each.path === path : each.path.test(path)))
  page?.load().then(
    (component) => loaded.set(page, component),
    () => {},
  )
}

/** A page, once it is there; what goes wrong in it does not take the menu along. */
export function LoadedPage({ page }: { readonly page: RoutedPage }) {
  const [Shown, setShown] = useState(() => loaded.get(page))
  const [missing, setMissing] = useState<'outdated' | 'unreachable' | null>(null)
  const [error, reset] = useErrorBoundary() as [unknown, () => void]
  useEffect(() => {
    const known = loaded.get(page)
    // It may have come since the first time this was drawn.
    if (known) {
      setShown(() => known)
      return undefined
    }
    const left = new AbortController()
    void fetchPage(page, left.signal, setMissing).then((component) => {
      if (!component) return
      loaded.set(page, component)
      setShown(() => component)
    })
    return () => left.abort()
  }, [page])
  useEffect(() => {
    if (Shown) document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  }, [Shown])
  if (!isVisible(page)) return <Empty icon="approvals" title={frameTexts.value.notAllowed} />
  if (!Shown && missing === 'outdated') return <Outdated />
  if (!Shown && missing === 'unreachable') return <Empty icon="warning" title={frameTexts.value.unreachable} />
  if (error !== undefined) {
    return (
      <>
        <h1>{frameTexts.value.broken}</h1>
        <ProblemBox error={error instanceof Error ? error : new Error(frameTexts.value.broken)} onRetry={reset} />
      </>
    )
  }
  return Shown ? <Shown /> : <Skeleton lines={6} />
}

/**
 * A part that does not come is one of an older version, unless nothing comes at all: then everything is fetched anew once the server is back. A browser keeps in
 * mind what it could not fetch, so that to ask for the part alone would bring it without its styles.
 */
async function fetchPage(
  page: RoutedPage,
  left: AbortSignal,
  tell: (missing: 'outdated' | 'unreachable') => void,
): Promise<ComponentType | null> {
  const component = await page.load().catch(() => null)
  if (component || left.aborted) return component
  if (await isServerThere()) {
    tell('outdated')
    return null
  }
  tell('unreachable')
  do await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
  while (!left.aborted && !(await isServerThere()))
  if (!left.aborted) location.reload()
  return null
}

async function isServerThere(): Promise<boolean> {
  try {
    await fetch(apiAddress('session'), { cache: 'no-store' })
    return true
  } catch {
    return false
  }
}

function Outdated() {
  const texts = frameTexts.value
  return (
    <Empty icon="retry" title={texts.outdated}>
      <Button tone="primary" onClick={() => location.reload()}>
        {texts.reload}
      </Button>
    </Empty>
  )
}
