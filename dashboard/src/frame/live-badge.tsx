import { liveState } from '../live/live.ts'
import { frameTexts } from './texts.ts'

/** Whether what is on the page is what is. */
export function LiveBadge() {
  const state = liveState.value
  return (
    <span class={`live ${state}`} role="status">
      <span class="live-dot" aria-hidden="true" />
      <span class="live-text">{frameTexts.value.live[state]}</span>
    </span>
  )
}
