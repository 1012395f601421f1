import { jobs } from '../en.ts'
import type { FieldTexts } from '../field-texts.ts'

const { form } = jobs

/** Labels and hints of the fields of a job. English messages call a field as the API does. */
export const jobFields: FieldTexts = {
  name: { label: form.name },
  description: { label: form.description },
  cronExpression: { label: form.cronExpression },
  trigger: { label: 'Trigger', hint: () => 'For example: {"type":"once","at":"2030-01-31T12:00:00Z"}' },
  timeZone: { label: 'Time zone' },
  calendar: { label: 'Calendar', hint: () => 'The job does not run at the times that the calendar leaves out.' },
  priority: { label: form.priority },
  timeoutMinutes: { label: form.timeout, hint: ({ min, max }) => `${min} to ${max}.` },
  retryCount: { label: 'Retries', hint: ({ min, max }) => `${min} to ${max}, after the first attempt.` },
  requiresTwoStepExecution: {
    label: form.requiresTwoStep,
    hint: () => 'A second person approves the job before it runs.',
  },
  payload: { label: 'Payload', hint: () => 'What the job is given each time it runs.' },
  misfirePolicy: {
    label: 'Misfire policy',
    hint: () => 'What becomes of occurrences that nobody fired in time, as during an outage.',
  },
  misfireThresholdSeconds: {
    label: 'Tolerated lateness (seconds)',
    hint: () => 'Up to this lateness an occurrence still counts as on time.',
  },
  overlap: { label: 'Overlap' },
  tags: { label: 'Tags', hint: ({ max }) => `Separated by commas, up to ${max}.` },
}
