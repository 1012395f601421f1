import { stepTexts } from './step-texts.ts'
import type { Bar, Waterfall, WaterfallRow } from './waterfall-layout.ts'

const TOP = 13
const HEIGHT = 20
const MIDDLE = TOP + HEIGHT / 2

/** One row of a waterfall. What it shows is said beside it: patterns and colours are for the eye alone. */
export function Bars({ row, view }: { readonly row: WaterfallRow; readonly view: Waterfall }) {
  const { bar, ahead, entry, side } = row
  const texts = stepTexts.value.waterfall
  return (
    <svg class="step-bars" aria-hidden="true">
      {view.ticks.map(({ left, sinceMs }) => (
        <line key={sinceMs} class="step-tick" x1={share(left)} x2={share(left)} y1="0" y2="100%" />
      ))}
      {bar && <rect class={`step-bar ${toneOf(row)}`} y={TOP} height={HEIGHT} rx="3" style={place(bar)} />}
      {bar && entry.replayed > 0 && (
        <line
          class="step-replayed"
          x1={share(bar.left)}
          x2={share(bar.left + Math.max(bar.width, 0.01))}
          y1={MIDDLE}
          y2={MIDDLE}
        />
      )}
      {ahead && (
        <line class="step-ahead" x1={share(ahead.left)} x2={share(ahead.left + ahead.width)} y1={MIDDLE} y2={MIDDLE} />
      )}
      {side !== null && (
        <text
          class="step-side"
          x={side === 'before' ? '0' : '100%'}
          y="27"
          text-anchor={side === 'before' ? 'start' : 'end'}
        >
          {side === 'before' ? `← ${texts.beforeAxis}` : `${texts.afterAxis} →`}
        </text>
      )}
      {view.now !== null && <line class="step-now" x1={share(view.now)} x2={share(view.now)} y1="0" y2="100%" />}
    </svg>
  )
}

function toneOf({ entry, isWait, isOpen }: WaterfallRow): string {
  if (entry.status === 'FAILED') return 'failed'
  return `${isWait ? 'wait' : 'work'} ${isOpen ? 'open' : ''}`
}

/** What took no time is still to be seen. */
function place({ left, width }: Bar) {
  return { x: `min(${share(left)}, 100% - 3px)`, width: `max(3px, ${share(width)})` }
}

function share(value: number): string {
  return `${(value * 100).toFixed(3)}%`
}
