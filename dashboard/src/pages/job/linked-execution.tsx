import { useAnswer } from '../../api/questions.ts'
import type { ExecutionView } from '../../api/wire.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { plainLine } from '../../parts/plain-text.ts'
import { ExecutionBadge } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { jobPageTexts } from './texts.ts'

/** The execution that a message was about, before all else. */
export function LinkedExecution({ id }: { readonly id: string }) {
  const texts = jobPageTexts.value
  const { data } = useAnswer<ExecutionView>(`jobs/executions/${id}`)
  return (
    <div class="linked-execution" role="note">
      <div>
        <p>{texts.linked}</p>
        {data && (
          <p class="row">
            <ExecutionBadge status={data.status} />
            <Time at={data.completedAt ?? data.createdAt} as="both" />
          </p>
        )}
        {data?.errorMessage != null && <p class="clamped">{plainLine(data.errorMessage)}</p>}
      </div>
      <ButtonLink href={`/executions/${id}`} tone="primary" icon="right">
        {texts.openExecution}
      </ButtonLink>
    </div>
  )
}
