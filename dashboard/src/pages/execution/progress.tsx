import type { ExecutionView } from '../../api/wire.ts'
import { percent } from '../../language/format.ts'
import { plainText } from '../../parts/plain-text.ts'
import { executionTexts } from './texts.ts'

/** How far it is, as its code says. */
export function Progress({ execution }: { readonly execution: Pick<ExecutionView, 'progress' | 'progressNote'> }) {
  const { progress, progressNote } = execution
  if (progress === null) return null
  return (
    <div class="execution-progress">
      <progress value={progress} max={1} aria-label={executionTexts.value.progress} />
      <span class="number">{percent(progress, 0)}</span>
      {progressNote !== null && <span class="muted">{plainText(progressNote)}</span>}
    </div>
  )
}
