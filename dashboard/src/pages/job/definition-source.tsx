import { useSignal } from '@preact/signals'
import { ask } from '../../api/ask.ts'
import { useCommand } from '../../api/commands.ts'
import type { JobView } from '../../api/wire.ts'
import { jobFieldName } from '../../language/job-fields.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { FieldDiff } from '../../parts/diff.tsx'
import { Facts, Section } from '../../parts/page.tsx'
import { jobPageTexts } from './texts.ts'

/** Who has the say about the definition: the code, the configuration, or an operator. */
export function DefinitionSource({ job }: { readonly job: JobView }) {
  const texts = jobPageTexts.value
  const isAsked = useSignal(false)
  const all = job.differsFromCode ?? {}
  // A cron that differs is told as such, not once more as a trigger.
  const differs = Object.entries(all).filter(([field]) => field !== 'trigger' || !('cronExpression' in all))
  const isEdited = job.origin === 'code' && differs.length > 0
  const reset = useCommand({
    run: () => ask(`jobs/${job.id}/reset`, { method: 'POST' }),
    done: texts.resetDone,
    onDone: () => {
      isAsked.value = false
    },
  })
  return (
    <Section
      title={texts.sections.source}
      actions={
        isEdited &&
        job.status !== 'DELETED' && (
          <Button isSmall icon="retry" needs="jobs:update" onClick={() => (isAsked.value = true)}>
            {texts.reset}
          </Button>
        )
      }
    >
      <p>
        {texts.source[job.origin]}{' '}
        {job.origin === 'code' && (isEdited ? texts.edited : !job.cronOverride && texts.asDeclared)}
      </p>
      {isEdited && (
        <>
          <p class="muted small">{texts.editedFields}</p>
          <FieldDiff
            label={texts.edited}
            changes={differs.map(([field, code]) => ({
              field,
              name: jobFieldName(field),
              before: code,
              after: job[field as keyof JobView],
            }))}
          />
        </>
      )}
      {job.cronOverride && (
        <>
          <p>{texts.overridden(job.cronOverride.source)}</p>
          <Facts
            facts={[
              [texts.overrideUsed, <code key="used">{job.cronOverride.cronExpression}</code>],
              [texts.overrideCode, <code key="code">{job.cronOverride.codeCronExpression}</code>],
            ]}
          />
        </>
      )}
      {isAsked.value && (
        <Confirm
          title={texts.resetTitle(job.name)}
          confirm={texts.reset}
          isBusy={reset.isPending}
          onConfirm={() => reset.mutate()}
          onClose={() => (isAsked.value = false)}
        >
          <p>{texts.resetText}</p>
        </Confirm>
      )}
    </Section>
  )
}
