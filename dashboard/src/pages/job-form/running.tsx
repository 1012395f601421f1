import { jobFieldHint, jobFieldName, overlapName } from '../../language/job-fields.ts'
import { policyName } from '../../language/names.ts'
import { CheckField, SelectField, TextField } from '../../parts/field.tsx'
import { Section } from '../../parts/page.tsx'
import type { FormState } from './form-state.ts'
import type { FormValues } from './form-values.ts'
import { Placed } from './placed.tsx'
import { formTexts } from './texts.ts'
import { TypedField } from './typed-field.tsx'

const POLICIES = ['smart', 'fireNow', 'fireOnce', 'fireAll', 'ignore', 'skipToNext'] as const
/** For simple triggers only, as in Quartz. */
const RESCHEDULES = [
  'rescheduleNowWithExistingCount',
  'rescheduleNowWithRemainingCount',
  'rescheduleNextWithExistingCount',
  'rescheduleNextWithRemainingCount',
] as const
const OVERLAPS: readonly FormValues['overlap'][] = ['allow', 'queue', 'skip', 'replace', 'atMost']

/** How long it may run, how often it is tried, and what happens when it is late or not done yet. */
export function Running({ form }: { readonly form: FormState }) {
  const { values, set, problemOf, type } = form
  const texts = formTexts.value
  const isDurable = type?.isDurable === true
  const policies = values.kind === 'trigger' ? [...POLICIES, ...RESCHEDULES] : POLICIES
  return (
    <Section title={texts.sections.running}>
      <div class="form-grid">
        <TypedField
          form={form}
          field="timeoutMinutes"
          isRequired={!isDurable}
          {...(isDurable && { hint: texts.durableTimeout })}
        />
        {isDurable ? (
          <p class="hint">{texts.durableRetries}</p>
        ) : (
          <TypedField form={form} field="retryCount" isRequired />
        )}
        <SelectField
          label={jobFieldName('misfirePolicy')}
          hint={jobFieldHint('misfirePolicy')}
          value={values.misfirePolicy}
          problem={problemOf('misfirePolicy')}
          options={[...new Set([...policies, values.misfirePolicy])].map((policy) => ({
            value: policy,
            name: policyName(policy),
          }))}
          onChange={(misfirePolicy) => set({ misfirePolicy })}
        />
        <TypedField form={form} field="misfireThresholdSeconds" isRequired />
        <SelectField
          label={jobFieldName('overlap')}
          value={values.overlap}
          problem={problemOf('overlap')}
          options={OVERLAPS.map((overlap) => ({ value: overlap, name: overlapName(overlap) }))}
          onChange={(overlap) => set({ overlap: overlap as FormValues['overlap'] })}
        />
        {values.overlap === 'atMost' && (
          <Placed form={form} field="atMost">
            <TextField
              label={texts.atMost}
              isRequired
              value={values.atMost}
              problem={problemOf('atMost')}
              onInput={(atMost) => set({ atMost })}
              more={{ name: 'atMost', inputMode: 'numeric', autocomplete: 'off' }}
            />
          </Placed>
        )}
      </div>
      <CheckField
        label={jobFieldName('requiresTwoStepExecution')}
        hint={type?.isSensitive === true ? texts.sensitiveType : (jobFieldHint('requiresTwoStepExecution') ?? '')}
        isChecked={values.requiresTwoStepExecution}
        isDisabled={type?.isSensitive === true}
        onChange={(requiresTwoStepExecution) => set({ requiresTwoStepExecution })}
      />
    </Section>
  )
}
