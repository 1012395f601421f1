import { useSignal } from '@preact/signals'
import { ask } from '../../api/ask.ts'
import { useCommand } from '../../api/commands.ts'
import type { JobView } from '../../api/wire.ts'
import { jobFieldName } from '../../language/job-fields.ts'
import { Button } from '../../parts/button.tsx'
import { JsonText } from '../../parts/json-text.tsx'
import { Section } from '../../parts/page.tsx'
import { isAdmin } from '../../session/session.ts'
import { jobPageTexts } from './texts.ts'

type Shown = Pick<JobView, 'payload' | 'payloadError'>

/** What the job is given; what is hidden in it an administrator may see, which is recorded. */
export function Payload({ job }: { readonly job: JobView }) {
  const texts = jobPageTexts.value
  const revealed = useSignal<Shown | null>(null)
  const reveal = useCommand<void, Shown>({
    run: () => ask<Shown>(`jobs/${job.id}/reveal`, { method: 'POST' }),
    onDone: (answer) => {
      revealed.value = answer
    },
  })
  const { payload, payloadError } = revealed.value ?? job
  const isHidden = JSON.stringify(job.payload ?? null).includes('***')
  return (
    <Section
      title={jobFieldName('payload')}
      actions={
        isAdmin() &&
        (isHidden || revealed.value !== null) && (
          <Button
            isSmall
            icon="key"
            isBusy={reveal.isPending}
            onClick={() => {
              if (revealed.value === null) reveal.mutate()
              else revealed.value = null
            }}
          >
            {revealed.value === null ? texts.reveal : texts.hide}
          </Button>
        )
      }
    >
      {payloadError === undefined ? (
        payload === null || payload === undefined ? (
          <p class="muted">{texts.noPayload}</p>
        ) : (
          <JsonText value={payload} label={jobFieldName('payload')} />
        )
      ) : (
        <p class="muted">{texts.payloadErrors[payloadError]}</p>
      )}
      {isAdmin() && isHidden && <p class="hint">{texts.revealHint}</p>}
    </Section>
  )
}
