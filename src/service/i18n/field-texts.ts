import type { JobFieldName } from '../../job/job-fields.ts'

interface Limits {
  readonly min?: number
  readonly max?: number
}

interface FieldText {
  readonly label: string
  /** The name of the field in messages. Default: the label. */
  readonly inMessages?: string
  readonly hint?: (limits: Limits) => string
}

/** What people read about the fields of a job. A field without texts does not compile. */
export type FieldTexts = Readonly<Record<JobFieldName, FieldText>>
