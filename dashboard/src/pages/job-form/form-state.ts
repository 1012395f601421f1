import { useState } from 'preact/hooks'
import { STORED_DEFAULTS } from '../../../../src/job/job-fields.ts'
import type { FieldProblem } from '../../api/problem.ts'
import type { JobTypeView } from '../../api/wire.ts'
import { problemsBelow, startingValue } from '../../parts/json-schema-form/value.ts'
import { isKnownZone } from '../../parts/zone-field.tsx'
import { checkValues, type FieldName } from './check-values.ts'
import type { FormValues } from './form-values.ts'
import { sayFault } from './texts.ts'

/** What is in the form, and what is wrong with it. */
export interface FormState {
  readonly values: FormValues
  readonly type: JobTypeView | undefined
  readonly set: (change: Partial<FormValues>) => void
  /** That somebody has left a field, so that it may be judged. */
  readonly touch: (field: FieldName) => void
  readonly problemOf: (field: FieldName) => string | undefined
  readonly payloadProblems: readonly FieldProblem[]
  readonly isChecked: boolean
  /** How many fields are to be corrected. */
  readonly faultCount: number
  /** Shows all that is wrong, and tells whether there is nothing. */
  readonly check: () => boolean
  /** Puts what the server says at the fields it says it of. */
  readonly refuse: (problems: readonly FieldProblem[]) => void
  readonly markPayload: (isBroken: boolean) => void
}

interface StateOptions {
  readonly isNew: boolean
  readonly hadNoTimeout: boolean
  readonly types: readonly JobTypeView[]
}

export function useFormState(initial: FormValues, { isNew, hadNoTimeout, types }: StateOptions): FormState {
  const [values, setValues] = useState(initial)
  const [touched, setTouched] = useState<ReadonlySet<FieldName>>(new Set())
  const [isChecked, setChecked] = useState(false)
  const [refused, setRefused] = useState<readonly FieldProblem[]>([])
  const [isPayloadBroken, setPayloadBroken] = useState(false)
  const type = types.find(({ id }) => id === values.jobType)
  const faults = checkValues(values, { isNew, type, isZone: isKnownZone, isPayloadBroken, hadNoTimeout })
  return {
    values,
    type,
    set(change) {
      const next = 'jobType' in change ? withType(change, values, types) : change
      setValues((before) => ({ ...before, ...next }))
      // What the server said was about what was there before.
      const changed = Object.keys(next)
      setRefused((problems) => problems.filter(({ pointer }) => !changed.includes(fieldOf(pointer))))
    },
    touch: (field) => setTouched((before) => (before.has(field) ? before : new Set([...before, field]))),
    problemOf(field) {
      const said = refused.find(({ pointer }) => fieldOf(pointer) === field)
      if (said) return said.message
      const fault = faults.get(field)
      return fault !== undefined && (isChecked || touched.has(field)) ? sayFault(fault, field) : undefined
    },
    payloadProblems: problemsBelow(refused, '/payload'),
    isChecked,
    faultCount: faults.size,
    check() {
      setChecked(true)
      return faults.size === 0
    },
    refuse: (problems) => setRefused(problems),
    markPayload: setPayloadBroken,
  }
}

/** Of `/payload/url` it is the payload; of `/tags/0` the tags. */
function fieldOf(pointer: string): string {
  const [, field = ''] = pointer.split('/')
  return field
}

/** With another job type comes another payload, and what that type wants of all its jobs. */
function withType(change: Partial<FormValues>, before: FormValues, types: readonly JobTypeView[]): Partial<FormValues> {
  const type = types.find(({ id }) => id === change.jobType)
  return {
    ...change,
    payload: startingValue(type?.inputSchema ?? null),
    ...(type?.isSensitive === true ? { requiresTwoStepExecution: true } : {}),
    ...(type?.isDurable === true
      ? { timeoutMinutes: '' }
      : before.timeoutMinutes === ''
        ? { timeoutMinutes: String(STORED_DEFAULTS.timeoutMinutes) }
        : {}),
  }
}
