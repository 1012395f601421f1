import { Link } from 'wouter-preact'
import type { ExecutionView } from '../../api/wire.ts'
import { percent } from '../../language/format.ts'
import { Answer } from '../../parts/answer.tsx'
import { Section } from '../../parts/page.tsx'
import { Elapsed } from '../../parts/time.tsx'
import { useRunning } from './asked.ts'
import { overviewTexts } from './texts.ts'

/** What runs now, how far it is, and for how long already. */
export function RunningNow() {
  const texts = overviewTexts.value
  const running = useRunning()
  return (
    <Section title={texts.now} actions={<Link href="/executions?q=status:running">{texts.allRunning}</Link>}>
      <Answer query={running}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="muted">{texts.noneRunning}</p>
          ) : (
            <ul>
              {items.map((execution) => (
                <Running key={execution.id} execution={execution} />
              ))}
            </ul>
          )
        }
      </Answer>
    </Section>
  )
}

function Running({ execution }: { readonly execution: ExecutionView }) {
  const texts = overviewTexts.value
  const { id, jobName, jobType, startedAt, progress, progressNote } = execution
  const name = jobName ?? jobType
  return (
    <li class="overview-run">
      <Link href={`/executions/${id}`}>{name}</Link>
      <span class="muted small">
        {texts.elapsed} <Elapsed from={startedAt} to={null} />
      </span>
      {progress !== null && (
        <span class="overview-run-more small">
          <progress value={progress} max={1} aria-label={texts.progress(name)} />
          <span class="number">{percent(progress, 0)}</span>
          {progressNote !== null && <span class="muted">{progressNote}</span>}
        </span>
      )}
    </li>
  )
}
