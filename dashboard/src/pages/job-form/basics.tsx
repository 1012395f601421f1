import { PRIORITIES } from '../../../../src/job/rules/priority.ts'
import type { JobTypeView } from '../../api/wire.ts'
import { jobFieldName } from '../../language/job-fields.ts'
import { priorityName } from '../../language/names.ts'
import { SelectField, TextField } from '../../parts/field.tsx'
import { Section } from '../../parts/page.tsx'
import type { FormState } from './form-state.ts'
import { TYPED_NAMES } from './form-values.ts'
import { Placed } from './placed.tsx'
import { formTexts } from './texts.ts'
import { TypedField } from './typed-field.tsx'

/** Fields that have a place of their own in the form. */
const PLACED: ReadonlySet<string> = new Set<(typeof TYPED_NAMES)[number]>([
  'name',
  'description',
  'tags',
  'priority',
  'calendar',
  'timeoutMinutes',
  'retryCount',
  'misfirePolicy',
  'misfireThresholdSeconds',
  'requiresTwoStepExecution',
])
const OTHERS = TYPED_NAMES.filter((name) => !PLACED.has(name))

interface BasicsProps {
  readonly form: FormState
  readonly types: readonly JobTypeView[]
  readonly isNew: boolean
}

/** What the job is called, and what it is of. */
export function Basics({ form, types, isNew }: BasicsProps) {
  const { values, set, problemOf } = form
  const texts = formTexts.value
  return (
    <Section title={texts.sections.basics}>
      <TypedField form={form} field="name" isRequired />
      <Placed form={form} field="jobType">
        {isNew ? (
          <SelectField
            label={jobFieldName('jobType')}
            isRequired
            {...(form.type?.isKnown === false ? { hint: texts.typeUnknown } : {})}
            value={values.jobType}
            problem={problemOf('jobType')}
            options={[{ value: '', name: texts.chooseType }, ...types.map(({ id }) => ({ value: id, name: id }))]}
            onChange={(jobType) => set({ jobType })}
          />
        ) : (
          <TextField
            label={jobFieldName('jobType')}
            hint={texts.typeFixed}
            isMono
            value={values.jobType}
            onInput={() => {}}
            more={{ readOnly: true }}
          />
        )}
      </Placed>
      <TypedField form={form} field="description" />
      <div class="form-grid">
        <TypedField form={form} field="tags" />
        <SelectField
          label={jobFieldName('priority')}
          value={values.priority}
          problem={problemOf('priority')}
          options={PRIORITIES.map((priority) => ({ value: priority, name: priorityName(priority) }))}
          onChange={(priority) => set({ priority })}
        />
        {OTHERS.map((name) => (
          <TypedField key={name} form={form} field={name} />
        ))}
      </div>
    </Section>
  )
}
