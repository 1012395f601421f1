import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { HOUR_MS } from '../../../../src/duration.ts'
import { dateTime, duration, timeOfDay } from '../../language/format.ts'
import { type Handle, moved, type Outage, STEP_MS, shareOf, type Window } from './outage.ts'
import { whatIfTexts } from './texts.ts'

interface TimelineProps {
  readonly window: Window
  readonly outage: Outage
  readonly onChange: (outage: Outage) => void
  /** When occurrences would be missed, of all jobs together. */
  readonly ticks: readonly number[]
}

const HOURS_BETWEEN_LABELS = 6

/** The outage on a line of time: dragged whole or by its ends, or moved by arrows. */
export function Timeline({ window, outage, onChange, ticks }: TimelineProps) {
  const texts = whatIfTexts.value
  const line = useRef<HTMLDivElement>(null)
  const drag = (handle: Handle) => (event: JSX.TargetedPointerEvent<HTMLElement>) => {
    event.preventDefault()
    event.stopPropagation()
    const { currentTarget: held, pointerId, clientX: startX } = event
    const width = line.current?.clientWidth ?? 1
    held.setPointerCapture(pointerId)
    const move = ({ clientX }: PointerEvent) =>
      onChange(moved(outage, handle, ((clientX - startX) / width) * (window.to - window.from), window))
    const end = () => {
      held.removeEventListener('pointermove', move)
      held.removeEventListener('pointerup', end)
      held.removeEventListener('pointercancel', end)
    }
    held.addEventListener('pointermove', move)
    held.addEventListener('pointerup', end)
    held.addEventListener('pointercancel', end)
  }
  const press = (handle: Handle) => (event: JSX.TargetedKeyboardEvent<HTMLElement>) => {
    const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 12, PageDown: -12 }[event.key]
    if (steps === undefined) return
    event.preventDefault()
    onChange(moved(outage, handle, steps * STEP_MS, window))
  }
  const place = (instant: number) => `${(shareOf(instant, window) * 100).toFixed(2)}%`
  return (
    <div class="timeline" role="group" aria-label={texts.timeline}>
      <div class="timeline-line" ref={line}>
        {hoursOf(window).map((hour) => (
          <span key={hour} class="timeline-hour" style={{ left: place(hour) }}>
            {timeOfDay(hour)}
          </span>
        ))}
        {ticks.map((tick) => (
          <span key={tick} class="timeline-tick" style={{ left: place(tick) }} />
        ))}
        <div
          class="timeline-outage"
          style={{ left: place(outage.from), right: `${(100 - shareOf(outage.to, window) * 100).toFixed(2)}%` }}
        >
          <div
            class="timeline-body"
            role="slider"
            tabIndex={0}
            aria-label={texts.outage(duration(outage.to - outage.from))}
            aria-valuenow={outage.from}
            {...sliderValues(outage.from, window)}
            onPointerDown={drag('both')}
            onKeyDown={press('both')}
          >
            {duration(outage.to - outage.from)}
          </div>
          {(['from', 'to'] as const).map((handle) => (
            <div
              key={handle}
              class={`timeline-handle ${handle}`}
              role="slider"
              tabIndex={0}
              aria-label={handle === 'from' ? texts.begin : texts.end}
              aria-valuenow={outage[handle]}
              {...sliderValues(outage[handle], window)}
              onPointerDown={drag(handle)}
              onKeyDown={press(handle)}
            />
          ))}
        </div>
      </div>
    </div>
  )
}

function sliderValues(instant: number, window: Window) {
  return {
    'aria-valuemin': window.from,
    'aria-valuemax': window.to,
    'aria-valuetext': dateTime(instant, { hasSeconds: false }),
  }
}

function hoursOf({ from, to }: Window): number[] {
  const hours: number[] = []
  for (let hour = Math.ceil(from / HOUR_MS) * HOUR_MS; hour < to - HOUR_MS; hour += HOUR_MS) {
    if (Number(timeOfDay(hour).slice(0, 2)) % HOURS_BETWEEN_LABELS === 0) hours.push(hour)
  }
  return hours
}
