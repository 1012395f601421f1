import type { JobTypeView, JobView } from '../../api/wire.ts'
import { isSameData } from '../../parts/diff-lines.ts'
import { jsonText, readJson } from '../../parts/json-schema-form/value.ts'

/** A job as a form holds it: numbers as they are typed. */
export interface FormValues {
  readonly name: string
  readonly description: string
  readonly jobType: string
  /** Separated by commas. */
  readonly tags: string
  readonly priority: JobView['priority']
  /** `trigger`: of another kind than cron, as JSON. */
  readonly kind: 'cron' | 'trigger'
  readonly cronExpression: string
  readonly trigger: string
  readonly timeZone: string
  /** Empty: none. */
  readonly calendar: string
  readonly timeoutMinutes: string
  readonly retryCount: string
  readonly requiresTwoStepExecution: boolean
  /** undefined: none. */
  readonly payload: unknown
  readonly misfirePolicy: string
  readonly misfireThresholdSeconds: string
  readonly overlap: 'allow' | 'queue' | 'skip' | 'replace' | 'atMost'
  readonly atMost: string
}

/** What the server takes. */
export type JobBody = Readonly<Record<string, unknown>>

/** A new job, before anybody has said anything about it; what the server would take where nothing is said is shown. */
export function blankValues(timeZone: string): FormValues {
  return {
    name: '',
    description: '',
    jobType: '',
    tags: '',
    priority: 'MEDIUM',
    kind: 'cron',
    cronExpression: '',
    trigger: '',
    timeZone,
    calendar: '',
    timeoutMinutes: '30',
    retryCount: '3',
    requiresTwoStepExecution: false,
    payload: undefined,
    misfirePolicy: 'smart',
    misfireThresholdSeconds: '60',
    overlap: 'allow',
    atMost: '1',
  }
}

export function valuesOf(job: JobView): FormValues {
  const isCron = job.cronExpression !== null
  return {
    name: job.name,
    description: job.description ?? '',
    jobType: job.jobType,
    tags: job.tags.join(', '),
    priority: job.priority,
    kind: isCron ? 'cron' : 'trigger',
    cronExpression: job.cronExpression ?? '',
    trigger: isCron ? '' : jsonText(job.trigger),
    timeZone: job.timeZone,
    calendar: job.calendar ?? '',
    timeoutMinutes: job.timeoutMinutes === null ? '' : String(job.timeoutMinutes),
    retryCount: String(job.retryCount),
    requiresTwoStepExecution: job.requiresTwoStepExecution,
    payload: job.payload ?? undefined,
    misfirePolicy: job.misfirePolicy,
    misfireThresholdSeconds: String(job.misfireThresholdSeconds),
    overlap: typeof job.overlap === 'string' ? job.overlap : 'atMost',
    atMost: typeof job.overlap === 'string' ? '1' : String(job.overlap.atMost),
  }
}

/** All fields as the server takes them. Of a durable job each activity has retries of its own. */
export function bodyOf(values: FormValues, type: Pick<JobTypeView, 'isDurable'> | undefined): JobBody {
  return {
    name: values.name.trim(),
    description: values.description === '' ? null : values.description,
    tags: tagsOf(values.tags),
    priority: values.priority,
    ...(values.kind === 'cron'
      ? { cronExpression: values.cronExpression.trim(), timeZone: values.timeZone }
      : { trigger: parsed(values.trigger) }),
    calendar: values.calendar === '' ? null : values.calendar,
    ...(values.timeoutMinutes.trim() === '' ? {} : { timeoutMinutes: Number(values.timeoutMinutes) }),
    ...(type?.isDurable === true ? {} : { retryCount: Number(values.retryCount) }),
    requiresTwoStepExecution: values.requiresTwoStepExecution,
    payload: values.payload ?? null,
    misfirePolicy: values.misfirePolicy,
    misfireThresholdSeconds: Number(values.misfireThresholdSeconds),
    overlap: values.overlap === 'atMost' ? { atMost: Number(values.atMost) } : values.overlap,
  }
}

/** Only what is not as it was: what somebody else changes meanwhile is not put back. */
export function changesOf(
  before: FormValues,
  after: FormValues,
  type: Pick<JobTypeView, 'isDurable'> | undefined,
): JobBody {
  const was = bodyOf(before, type)
  return Object.fromEntries(
    Object.entries(bodyOf(after, type)).filter(([field, value]) => !isSameData(was[field], value)),
  )
}

/** Fields that can be changed without the approval of a sensitive job being lost. */
const HARMLESS: ReadonlySet<string> = new Set(['description', 'tags'])

export function losesApproval(changes: JobBody): boolean {
  return Object.keys(changes).some((field) => !HARMLESS.has(field))
}

/** The tags of a text, each once. */
export function tagsOf(text: string): readonly string[] {
  const tags = text.split(',').map((tag) => tag.trim())
  return [...new Set(tags.filter((tag) => tag !== ''))]
}

function parsed(text: string): unknown {
  const read = readJson(text)
  return 'value' in read ? read.value : undefined
}
