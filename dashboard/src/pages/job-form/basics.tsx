import type { JobTypeView, Priority } from '../../api/wire.ts'
import { jobFieldName } from '../../language/job-fields.ts'
import { priorityName } from '../../language/names.ts'
import { SelectField, TextField } from '../../parts/field.tsx'
import { Section } from '../../parts/page.tsx'
import type { FormState } from './form-state.ts'
import { Placed } from './placed.tsx'
import { formTexts } from './texts.ts'

const PRIORITIES: readonly Priority[] = ['HIGH', 'MEDIUM', 'LOW']

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
      <Placed form={form} field="name">
        <TextField
          label={jobFieldName('name')}
          isRequired
          value={values.name}
          problem={problemOf('name')}
          onInput={(name) => set({ name })}
          more={{ name: 'name', maxLength: 255, autocomplete: 'off' }}
        />
      </Placed>
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
      <Placed form={form} field="description">
        <TextField
          label={jobFieldName('description')}
          lines={3}
          value={values.description}
          problem={problemOf('description')}
          onInput={(description) => set({ description })}
        />
      </Placed>
      <div class="form-grid">
        <Placed form={form} field="tags">
          <TextField
            label={jobFieldName('tags')}
            hint={texts.tagsHint}
            value={values.tags}
            problem={problemOf('tags')}
            onInput={(tags) => set({ tags })}
          />
        </Placed>
        <SelectField
          label={jobFieldName('priority')}
          value={values.priority}
          problem={problemOf('priority')}
          options={PRIORITIES.map((priority) => ({ value: priority, name: priorityName(priority) }))}
          onChange={(priority) => set({ priority: priority as Priority })}
        />
      </div>
    </Section>
  )
}
