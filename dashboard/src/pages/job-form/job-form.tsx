import './job-form.css'
import { useRef, useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { useCommand } from '../../api/commands.ts'
import { Problem } from '../../api/problem.ts'
import type { JobTypeView, JobView } from '../../api/wire.ts'
import { useLeaving } from '../../frame/leaving.ts'
import { frameTexts } from '../../frame/texts.ts'
import { jobTexts } from '../../language/job-texts.ts'
import { missingPermission } from '../../language/names.ts'
import { ProblemBox } from '../../parts/answer.tsx'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { may } from '../../session/session.ts'
import { Basics } from './basics.tsx'
import { useFormState } from './form-state.ts'
import { changesOf, type FormValues, losesApproval } from './form-values.ts'
import { Payload } from './payload.tsx'
import { Running } from './running.tsx'
import { Schedule } from './schedule.tsx'
import { formTexts } from './texts.ts'
import { UnsavedDialog } from './unsaved-dialog.tsx'

interface JobFormProps {
  /** What the form begins with. */
  readonly initial: FormValues
  /** The job as it was read; null where there is none yet. */
  readonly job: JobView | null
  readonly types: readonly JobTypeView[]
  /** Sends it; what is refused is thrown. */
  readonly save: (values: FormValues, type: JobTypeView | undefined) => Promise<JobView>
  readonly done: string
  readonly needs: 'jobs:create' | 'jobs:update'
  /** Where one gets without saving. */
  readonly back: string
}

/** Every field of a job that people set. */
export function JobForm({ initial, job, types, save, done, needs, back }: JobFormProps) {
  const texts = formTexts.value
  const element = useRef<HTMLFormElement>(null)
  const [, go] = useLocation()
  const [problem, setProblem] = useState<Error | null>(null)
  const form = useFormState(initial, { isNew: job === null, hadNoTimeout: job?.timeoutMinutes === null, types })
  const changes = changesOf(initial, form.values, form.type)
  const isDirty = Object.keys(changes).length > 0 || form.values.jobType !== initial.jobType
  const leaving = useLeaving(isDirty)

  const command = useCommand({
    run: () => save(form.values, form.type),
    done,
    showsProblems: true,
    onDone: ({ id }) => {
      leaving.release()
      go(`/${id}`)
    },
  })
  const submit = async (event: Event) => {
    event.preventDefault()
    if (command.isPending) return
    setProblem(null)
    if (!form.check()) return focusFirst(element.current)
    try {
      await command.mutateAsync()
    } catch (error) {
      if (!(error instanceof Error)) return
      const fields = fieldsOf(error)
      form.refuse(fields)
      setProblem(fields.length > 0 ? null : error)
      focusFirst(element.current)
    }
  }
  const isSensitive = form.values.requiresTwoStepExecution || form.type?.isSensitive === true
  return (
    <form ref={element} class="job-form" noValidate onSubmit={(event) => void submit(event)}>
      {job?.requiresTwoStepExecution === true && <p class="job-note warn">{texts.changeNeedsApproval}</p>}
      <div class="grid">
        <div class="stack">
          <Basics form={form} types={types} isNew={job === null} />
          <Schedule form={form} jobId={job?.id ?? null} calendar={initial.calendar} />
        </div>
        <div class="stack">
          <Running form={form} />
          <Payload form={form} />
        </div>
      </div>
      {isSensitive && (job === null || losesApproval(changes)) && (
        <p class="job-note warn" role="status">
          {job === null ? texts.newNeedsApproval : texts.changeLosesApproval}
          {!may('jobs:schedule') && ` ${missingPermission('jobs:schedule')}.`}
        </p>
      )}
      {problem && <ProblemBox error={problem} />}
      {form.isChecked && form.faultCount > 0 && (
        <p class="field-problem" role="alert">
          {texts.fixFirst(form.faultCount)}
        </p>
      )}
      <div class="row">
        <Button type="submit" tone="primary" icon="check" needs={needs} isBusy={command.isPending}>
          {job === null ? jobTexts.value.actions.create : frameTexts.value.save}
        </Button>
        <ButtonLink href={back}>{frameTexts.value.cancel}</ButtonLink>
        {job !== null && !isDirty && <span class="muted small">{texts.unchanged}</span>}
      </div>
      {leaving.leave && <UnsavedDialog onLeave={leaving.leave} onStay={leaving.stay} />}
    </form>
  )
}

/** What a refusal says of fields; a name that is taken is about the name. */
function fieldsOf(error: Error) {
  if (!(error instanceof Problem)) return []
  if (error.code === 'job.name_taken') {
    return [{ pointer: '/name', code: error.code, message: jobTexts.value.messages.error.nameAlreadyExists }]
  }
  return error.fields
}

/** The first field that is wrong, once it is shown to be. */
function focusFirst(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => {
    const wrong = form?.querySelector<HTMLElement>('[aria-invalid=true]')
    const folded = wrong?.closest('details')
    if (folded) folded.open = true
    wrong?.focus()
  })
}
