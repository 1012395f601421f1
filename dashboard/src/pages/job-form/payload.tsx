import { jobFieldHint, jobFieldName } from '../../language/job-fields.ts'
import { SchemaForm } from '../../parts/json-schema-form/schema-form.tsx'
import { Section } from '../../parts/page.tsx'
import type { FormState } from './form-state.ts'
import { Placed } from './placed.tsx'
import { formTexts } from './texts.ts'

/** What the job is given, by a form that its type makes. */
export function Payload({ form }: { readonly form: FormState }) {
  const { values, type, set } = form
  const texts = formTexts.value
  const problem = form.problemOf('payload')
  return (
    <Section title={texts.sections.payload}>
      <p class="hint">{values.jobType === '' ? texts.noPayload : jobFieldHint('payload')}</p>
      {values.jobType !== '' && (
        <Placed form={form} field="payload">
          <SchemaForm
            key={values.jobType}
            label={jobFieldName('payload')}
            schema={type?.inputSchema ?? null}
            value={values.payload}
            problems={form.payloadProblems}
            isChecked={form.isChecked}
            onChange={(payload) => set({ payload })}
            onBroken={form.markPayload}
          />
        </Placed>
      )}
      {problem !== undefined && form.payloadProblems.length === 0 && <p class="field-problem">{problem}</p>}
    </Section>
  )
}
