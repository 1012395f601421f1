import type { DashboardView, SeriesBucketView } from '../../api/wire.ts'
import { duration, number, percent } from '../../language/format.ts'
import { counters } from '../../live/live.ts'
import { Figure } from '../../parts/page.tsx'
import { Sparkline } from '../../parts/sparkline.tsx'
import { overviewTexts } from './texts.ts'

interface LiveFiguresProps {
  readonly dashboard: DashboardView
  readonly buckets: readonly SeriesBucketView[]
}

/** A queue that has not moved for this long deserves a look. */
const LONG_WAIT_MS = 60_000
const RATE_WANTED = 0.95

/** What matters most, in figures. What the stream says counts, as long as it says anything. */
export function LiveFigures({ dashboard, buckets }: LiveFiguresProps) {
  const texts = overviewTexts.value
  const { workers, nodes, queue, punctuality, last24Hours } = dashboard
  const { running, queued, waiting, workersUsed } = counters.value ?? { ...dashboard, workersUsed: workers.used }
  const isFull = workers.maximum !== null && workersUsed >= workers.maximum
  const isStuck = queued > 0 && (queue.oldestWaitMs ?? 0) > LONG_WAIT_MS
  const { onTimeRate, p50Ms, p99Ms } = punctuality
  return (
    <dl class="figures compact" aria-label={texts.figures}>
      <Figure name={texts.running} note={waiting > 0 ? texts.waiting(waiting) : undefined}>
        {number(running)}
      </Figure>
      <Figure
        name={texts.workers}
        note={texts.nodes(nodes.alive, nodes.slots)}
        {...(nodes.alive === 0 ? { tone: 'bad' } : isFull ? { tone: 'warn' } : {})}
      >
        {number(workersUsed)} / {workers.maximum === null ? texts.noMaximum : number(workers.maximum)}
      </Figure>
      <Figure
        name={texts.queue}
        note={queued > 0 && queue.oldestWaitMs !== null ? texts.oldest(duration(queue.oldestWaitMs)) : texts.queueEmpty}
        {...(isStuck ? { tone: 'warn' } : {})}
      >
        {number(queued)}
      </Figure>
      <SuccessFigure last24Hours={last24Hours} buckets={buckets} />
      <Figure
        name={texts.punctuality}
        note={onTimeRate === null ? texts.nothingFired : texts.lateness(duration(p50Ms), duration(p99Ms))}
        {...(onTimeRate !== null && onTimeRate < RATE_WANTED ? { tone: 'warn' } : {})}
      >
        {percent(onTimeRate)}
      </Figure>
    </dl>
  )
}

interface SuccessFigureProps extends Pick<LiveFiguresProps, 'buckets'> {
  readonly last24Hours: DashboardView['last24Hours']
}

function SuccessFigure({ last24Hours, buckets }: SuccessFigureProps) {
  const texts = overviewTexts.value
  const { successRate, succeeded, failed, timedOut, cancelled } = last24Hours
  const rates = buckets.map(rateOf)
  const isLow = successRate !== null && successRate < RATE_WANTED
  return (
    <Figure
      name={texts.success}
      {...(successRate === null ? {} : { tone: isLow ? 'bad' : 'good' })}
      note={
        <>
          {texts.ended(succeeded + failed + timedOut + cancelled)}
          {rates.filter((rate) => rate !== null).length > 1 && (
            <Sparkline values={rates} minimum={0} maximum={1} label={texts.successOver(percent(successRate))} />
          )}
        </>
      }
    >
      {percent(successRate)}
    </Figure>
  )
}

/** As the KPI has it: what was cancelled says nothing about success. */
function rateOf({ succeeded, failed, timedOut }: SeriesBucketView): number | null {
  const judged = succeeded + failed + timedOut
  return judged === 0 ? null : succeeded / judged
}
