import './windowed-list.css'
import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX, RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { scrolledTo, visibleRows } from './visible-rows.ts'

interface WindowedListProps {
  readonly label: string
  readonly count: number
  readonly rowPx: number
  /** How much of it is seen at once, at most. */
  readonly mostPx: number
  readonly row: (at: number) => ComponentChildren
  readonly rowKey: (at: number) => string | number
  readonly onOpen: (at: number) => void
  /** What is open below a row, where that is shown in the list. */
  readonly open?: { readonly at: number; readonly px: number; readonly content: ComponentChildren } | null | undefined
  readonly onScroll?: ((scrolled: { readonly isAtEnd: boolean }) => void) | undefined
  /** Changes when the end is to be shown. */
  readonly followed?: number | null | undefined
  readonly rowClass?: (at: number) => string
  /** What stays above the rows. */
  readonly head?: { readonly px: number; readonly content: ComponentChildren } | undefined
}

/** As many rows as one likes, of which only those are drawn that are seen. One of them is reached by Tab; arrows go on from there, Enter opens. */
export function WindowedList(props: WindowedListProps) {
  const {
    label,
    count,
    rowPx,
    mostPx,
    row,
    rowKey,
    onOpen,
    open = null,
    onScroll,
    followed = null,
    rowClass,
    head,
  } = props
  const box = useRef<HTMLDivElement>(null)
  const scrollTop = useSignal(0)
  const active = useSignal(0)
  const isMoved = useRef(false)
  const heightPx = Math.min(mostPx, Math.max(1, count) * rowPx + (open?.px ?? 0))
  const headPx = head?.px ?? 0
  const view = { count, rowPx, openAt: open?.at ?? null, openPx: open?.px ?? 0, scrollTop: scrollTop.value, heightPx }
  const { first, end, topPx, totalPx } = visibleRows(view)
  const reached = Math.min(active.value, Math.max(0, count - 1))

  useFollowing(box, followed, count)
  // Before anything else is pressed, so that no key is lost to a row that is not drawn any more.
  useLayoutEffect(() => {
    if (!isMoved.current) return
    isMoved.current = false
    box.current?.querySelector<HTMLElement>(`[data-at="${reached}"]`)?.focus({ preventScroll: true })
  })
  const scrollTo = (at: number) => {
    const top = scrolledTo({ ...view, scrollTop: box.current?.scrollTop ?? 0 }, at)
    if (box.current) box.current.scrollTop = top
    scrollTop.value = top
  }
  const move = (event: JSX.TargetedKeyboardEvent<HTMLDivElement>) => {
    const page = Math.max(1, Math.floor(heightPx / rowPx) - 1)
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -count,
      End: count,
    }
    const step = steps[event.key]
    if (step === undefined || !(event.target as HTMLElement).matches('[data-at]')) return
    event.preventDefault()
    // Keys may come faster than rows are drawn.
    const next = Math.max(0, Math.min(count - 1, Math.min(active.peek(), count - 1) + step))
    active.value = next
    isMoved.current = true
    scrollTo(next)
  }
  const scrolled = ({ currentTarget }: JSX.TargetedEvent<HTMLDivElement>) => {
    scrollTop.value = currentTarget.scrollTop
    onScroll?.({ isAtEnd: currentTarget.scrollTop + currentTarget.clientHeight >= currentTarget.scrollHeight - rowPx })
  }
  // The row that Tab reaches is there also when it is not seen.
  const drawn = [...new Set([...numbersFrom(first, end), ...(count > 0 ? [reached] : [])])].toSorted((a, b) => a - b)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the rows inside.
    <div
      class="windowed"
      ref={box}
      style={{ height: `${heightPx + headPx + 2}px` }}
      onScroll={scrolled}
      onKeyDown={move}
    >
      {head && (
        <div class="windowed-head" style={{ height: `${headPx}px` }}>
          {head.content}
        </div>
      )}
      <div class="windowed-space" style={{ height: `${totalPx}px` }}>
        <ol aria-label={label} style={{ transform: `translateY(${topPx}px)` }}>
          {drawn.map((at) => (
            <li
              key={rowKey(at)}
              aria-setsize={count}
              aria-posinset={at + 1}
              class={at < first || at >= end ? 'visually-hidden' : ''}
            >
              <button
                type="button"
                class={`windowed-row ${rowClass?.(at) ?? ''}`}
                style={{ height: `${rowPx}px` }}
                data-at={at}
                tabIndex={at === reached ? 0 : -1}
                aria-expanded={props.open === undefined ? undefined : open?.at === at}
                onFocus={() => {
                  if (at < first || at >= end) scrollTo(at)
                }}
                onClick={() => {
                  active.value = at
                  onOpen(at)
                }}
              >
                {row(at)}
              </button>
              {open?.at === at && (
                <div class="windowed-open" style={{ height: `${open.px}px` }}>
                  {open.content}
                </div>
              )}
            </li>
          ))}
        </ol>
      </div>
    </div>
  )
}

/** Shows the end whenever there is more, while it is followed. */
function useFollowing(box: RefObject<HTMLDivElement>, followed: number | null, count: number): void {
  useLayoutEffect(() => {
    if (followed !== null && box.current) box.current.scrollTop = box.current.scrollHeight
  }, [box, followed, count])
}

function numbersFrom(first: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index)
}
