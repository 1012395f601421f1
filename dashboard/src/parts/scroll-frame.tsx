import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

interface ScrollFrameProps {
  readonly label: string
  readonly class: string
  readonly children: ComponentChildren
}

/** What may be wider than there is room; where it is, it can be scrolled by keyboard too. */
export function ScrollFrame({ label, class: name, children }: ScrollFrameProps) {
  const frame = useRef<HTMLDivElement>(null)
  const [isScrolled, setScrolled] = useState(false)
  useEffect(() => {
    const element = frame.current
    if (!element) return
    const resized = new ResizeObserver(() => setScrolled(element.scrollWidth > element.clientWidth))
    resized.observe(element)
    for (const child of element.children) resized.observe(child)
    return () => resized.disconnect()
  }, [])
  const reachable = isScrolled ? ({ role: 'region', tabIndex: 0, 'aria-label': label } as const) : {}
  return (
    <div ref={frame} class={name} {...reachable}>
      {children}
    </div>
  )
}
