import { jobFieldName, overlapName } from '../../language/job-fields.ts'
import { policyName } from '../../language/names.ts'
import { CheckField, SelectField, TextField } from '../../parts/field.tsx'
import { Section } from '../../parts/page.tsx'
import type { FieldName } from './check-values.ts'
import type { FormState } from './form-state.ts'
import type { FormValues } from './form-values.ts'
import { Placed } from './placed.tsx'
import { formTexts } from './texts.ts'

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
        <NumberField
          form={form}
          field="timeoutMinutes"
          isRequired={!isDurable}
          hint={isDurable ? texts.durableTimeout : texts.timeoutHint}
        />
        {isDurable ? (
          <p class="hint">{texts.durableRetries}</p>
        ) : (
          <NumberField form={form} field="retryCount" isRequired hint={texts.retryHint} />
        )}
        <SelectField
          label={jobFieldName('misfirePolicy')}
          hint={texts.misfireHint}
          value={values.misfirePolicy}
          problem={problemOf('misfirePolicy')}
          options={[...new Set([...policies, values.misfirePolicy])].map((policy) => ({
            value: policy,
            name: policyName(policy),
          }))}
          onChange={(misfirePolicy) => set({ misfirePolicy })}
        />
        <NumberField form={form} field="misfireThresholdSeconds" isRequired hint={texts.thresholdHint} />
        <SelectField
          label={jobFieldName('overlap')}
          value={values.overlap}
          problem={problemOf('overlap')}
          options={OVERLAPS.map((overlap) => ({ value: overlap, name: overlapName(overlap) }))}
          onChange={(overlap) => set({ overlap: overlap as FormValues['overlap'] })}
        />
        {values.overlap === 'atMost' && <NumberField form={form} field="atMost" isRequired label={texts.atMost} />}
      </div>
      <CheckField
        label={jobFieldName('requiresTwoStepExecution')}
        hint={type?.isSensitive === true ? texts.sensitiveType : texts.twoStepHint}
        isChecked={values.requiresTwoStepExecution}
        isDisabled={type?.isSensitive === true}
        onChange={(requiresTwoStepExecution) => set({ requiresTwoStepExecution })}
      />
    </Section>
  )
}

interface NumberFieldProps {
  readonly form: FormState
  readonly field: FieldName & ('timeoutMinutes' | 'retryCount' | 'misfireThresholdSeconds' | 'atMost')
  readonly isRequired: boolean
  readonly hint?: string
  readonly label?: string
}

function NumberField({ form, field, isRequired, hint, label = jobFieldName(field) }: NumberFieldProps) {
  return (
    <Placed form={form} field={field}>
      <TextField
        label={label}
        {...(hint === undefined ? {} : { hint })}
        isRequired={isRequired}
        value={form.values[field]}
        problem={form.problemOf(field)}
        onInput={(text) => form.set({ [field]: text })}
        more={{ name: field, inputMode: 'numeric', autocomplete: 'off' }}
      />
    </Placed>
  )
}
