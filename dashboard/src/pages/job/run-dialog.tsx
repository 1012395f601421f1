import { useState } from 'preact/hooks'
import { ask } from '../../api/ask.ts'
import { useCommand } from '../../api/commands.ts'
import { Problem } from '../../api/problem.ts'
import { useAnswer } from '../../api/questions.ts'
import type { ExecuteAnswer, JobTypeView, JobView } from '../../api/wire.ts'
import { jobFieldName } from '../../language/job-fields.ts'
import { jobTexts } from '../../language/job-texts.ts'
import { Answer, ProblemBox } from '../../parts/answer.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { CheckField } from '../../parts/field.tsx'
import { findingsOf } from '../../parts/json-schema-form/check.ts'
import { SchemaForm } from '../../parts/json-schema-form/schema-form.tsx'
import { problemsBelow } from '../../parts/json-schema-form/value.ts'
import { jobPageTexts } from './texts.ts'

/** Asked for, with what there is to know about it in words. */
type Executed = ExecuteAnswer & { readonly message: string | null }

/** Runs a job now, as it is or with another payload for this once. */
export function RunDialog({ job, onClose }: { readonly job: JobView; readonly onClose: () => void }) {
  const texts = jobPageTexts.value
  const [isEdited, setEdited] = useState(false)
  const [payload, setPayload] = useState<unknown>(job.payload ?? undefined)
  const [isBroken, setBroken] = useState(false)
  const [isChecked, setChecked] = useState(false)
  const types = useAnswer<{ readonly items: readonly JobTypeView[] }>('jobs/types', { isLive: false })
  const schema = types.data?.items.find(({ id }) => id === job.jobType)?.inputSchema ?? null
  const { success } = jobTexts.value.messages

  const command = useCommand<void, Executed>({
    run: () =>
      ask<Executed>(`jobs/${job.id}/execute`, {
        method: 'POST',
        ...(isEdited ? { body: { payload: payload ?? null } } : {}),
      }),
    done: ({ message }) => (message === null ? success.executed : `${success.executed} · ${message}`),
    onDone: onClose,
    showsProblems: true,
  })
  const fields = command.error instanceof Problem ? problemsBelow(command.error.fields, '/payload') : []
  const run = () => {
    setChecked(true)
    const isWrong = isEdited && (isBroken || (schema !== null && findingsOf(schema, payload ?? undefined).length > 0))
    if (!isWrong) command.mutate()
  }
  return (
    <Confirm
      title={texts.runTitle(job.name)}
      confirm={jobTexts.value.actions.execute}
      isBusy={command.isPending}
      onConfirm={run}
      onClose={onClose}
    >
      <p>{texts.runText}</p>
      {job.requiresTwoStepExecution ? (
        <p class="muted">{texts.runSensitive}</p>
      ) : (
        <CheckField label={texts.editPayload} isChecked={isEdited} onChange={setEdited} />
      )}
      {isEdited && (
        <Answer query={types} lines={3}>
          {() => (
            <SchemaForm
              label={jobFieldName('payload')}
              schema={schema}
              value={payload}
              onChange={setPayload}
              problems={fields}
              isChecked={isChecked}
              onBroken={setBroken}
            />
          )}
        </Answer>
      )}
      {command.error && fields.length === 0 && <ProblemBox error={command.error} />}
    </Confirm>
  )
}
