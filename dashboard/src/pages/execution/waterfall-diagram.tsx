import type { ExecutionDetailView } from '../../api/wire.ts'
import { duration } from '../../language/format.ts'
import { now } from '../../parts/time.tsx'
import { WindowedList } from '../../parts/windowed-list.tsx'
import type { ActivityView } from './activity.ts'
import { isEnded } from './ended.ts'
import { stepTexts } from './step-texts.ts'
import { stepName, stepWords } from './step-words.ts'
import { Bars } from './waterfall-bars.tsx'
import { layOutWaterfall, type Waterfall, type Zoom } from './waterfall-layout.ts'

const ROW_PX = 46
const HEAD_PX = 26
const MOST_PX = 560

interface WaterfallDiagramProps {
  readonly execution: ExecutionDetailView
  readonly entries: readonly ActivityView[]
  readonly zoom: Zoom
  readonly onOpen: (entry: ActivityView) => void
}

/** Every step as a bar on an axis of time; each row says in words what its bar shows. */
export function WaterfallDiagram({ execution, entries, zoom, onOpen }: WaterfallDiagramProps) {
  const texts = stepTexts.value.waterfall
  const isOver = isEnded(execution.status)
  const at = isOver ? Date.parse(execution.completedAt ?? execution.createdAt) : now.value
  const view = layOutWaterfall(entries, { now: at, zoom, createdAt: execution.createdAt, isOver })
  return (
    <>
      <WindowedList
        label={texts.label}
        count={entries.length}
        rowPx={ROW_PX}
        mostPx={MOST_PX}
        head={{ px: HEAD_PX, content: <Axis view={view} /> }}
        rowKey={(index) => entries[index]?.sequence ?? index}
        rowClass={() => 'step-row'}
        onOpen={(index) => {
          const entry = entries[index]
          if (entry) onOpen(entry)
        }}
        row={(index) => {
          const entry = entries[index]
          if (!entry) return null
          const row = view.rowOf(entry)
          return (
            <>
              <span class="step-words">
                <span class="step-name">{stepName(entry)}</span>
                <span class="step-facts">{stepWords(entry, at, row.isTakenOver)}</span>
              </span>
              <Bars row={row} view={view} />
            </>
          )
        }}
      />
      <Legend isOver={isOver} />
    </>
  )
}

/** Of the axis; on a phone, marks that are closer to the one before are not said. */
const FAR = 0.33

/** How long after the start; the rows say the same in words. */
function Axis({ view }: { readonly view: Waterfall }) {
  let saidAt = Number.NEGATIVE_INFINITY
  const marks = view.ticks.map((tick) => {
    const isFar = tick.left - saidAt >= FAR
    if (isFar) saidAt = tick.left
    return { ...tick, isFar }
  })
  return (
    <div class="step-row step-axis" aria-hidden="true">
      <span />
      <svg class="step-bars">
        {marks.map(({ left, sinceMs, isFar }) => (
          <text
            key={sinceMs}
            class={isFar ? undefined : 'near'}
            x={`${left * 100}%`}
            y="17"
            text-anchor={left > 0.8 ? 'end' : 'start'}
          >
            +{sinceMs === 0 ? 0 : duration(sinceMs)}
          </text>
        ))}
      </svg>
    </div>
  )
}

const SAMPLES = ['work', 'wait', 'failed', 'replayed', 'now'] as const

function Legend({ isOver }: { readonly isOver: boolean }) {
  const { legend } = stepTexts.value.waterfall
  return (
    <ul class="step-legend">
      {SAMPLES.filter((sample) => sample !== 'now' || !isOver).map((sample) => (
        <li key={sample}>
          <svg width="26" height="14" aria-hidden="true" class="step-bars">
            {sample === 'now' ? (
              <line class="step-now" x1="13" x2="13" y1="0" y2="14" />
            ) : (
              <rect class={`step-bar ${sample === 'replayed' ? 'work' : sample}`} x="1" y="1" width="24" height="12" />
            )}
            {sample === 'replayed' && <line class="step-replayed" x1="2" x2="24" y1="7" y2="7" />}
          </svg>
          {legend[sample]}
        </li>
      ))}
    </ul>
  )
}
