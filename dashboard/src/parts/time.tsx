import { signal } from '@preact/signals'
import { dateTime, duration, type Instant, relative } from '../language/format.ts'
import { viewerZone } from '../language/zone.ts'

const EVERY_MS = 1_000

/** What time it is, for what is told relative to it. */
export const now = signal(Date.now())
setInterval(() => {
  if (!document.hidden) now.value = Date.now()
}, EVERY_MS)

interface TimeProps {
  readonly at: Instant | null | undefined
  /** Default: that of whoever looks. */
  readonly zone?: string | undefined
  /** `both`: relative, with the date and time behind it. Default: date and time. */
  readonly as?: 'date' | 'relative' | 'both'
  readonly hasSeconds?: boolean
}

/** An instant, always with its zone: in words where it is near, in full when pointed at. */
export function Time({ at, zone = viewerZone.value, as = 'date', hasSeconds = true }: TimeProps) {
  if (at === null || at === undefined) return <span class="muted">–</span>
  const full = dateTime(at, { timeZone: zone, hasSeconds })
  const iso = new Date(at).toISOString()
  return (
    <time dateTime={iso} title={`${full} · ${iso}`}>
      {as === 'date' ? full : relative(at, now.value)}
      {as === 'both' && <span class="muted"> · {full}</span>}
    </time>
  )
}

/** How long something took, or has taken so far. */
export function Elapsed({ from, to }: { readonly from: Instant | null; readonly to: Instant | null }) {
  if (from === null) return <span class="muted">–</span>
  const end = to === null ? now.value : new Date(to).getTime()
  return <span class="number">{duration(Math.max(0, end - new Date(from).getTime()))}</span>
}
