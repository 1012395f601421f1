import { z } from 'zod'
import { ERASED, requireReadable, type UnreadableReason, undecryptable } from '../../src/job/execution/unreadable.ts'
import { requireShape } from '../../src/server/request/field-problems.ts'
import { InvalidFieldsError } from '../../src/service/errors.ts'
import { FieldProblems } from '../../src/service/field-problems.ts'
import type { ApiCode } from '../../src/service/i18n/codes.ts'
import { readTriggerFields, type TriggerFields } from '../../src/service/jobs/fields/trigger-field.ts'
import { headerProblem } from '../../src/service/outbound/headers.ts'
import { parseCron } from '../../src/time/cron/parse.ts'

type Sentences = readonly string[]

/** Sentences that do not stand beside their codes in the sources, or not as a whole: they are provoked, and what was sent stands in braces. `found`: those that do. */
export const PROVOKED: Readonly<Partial<Record<ApiCode, (found: Sentences) => Sentences>>> = {
  'cron.field_count': () => [cron('* * *'), cron('0 0 0 1 1 * 2026')],
  'cron.invalid': () => [cron(7 as never)],
  'cron.macro_unknown': () => [cron('@sometimes')],
  'cron.too_long': () => [
    said(() => parseCron('*'.repeat(2_000))).replace(/got (\d+) in .*/, 'got {length} in {expression}.'),
  ],
  cron_unsatisfiable: () => [trigger({ cronExpression: '0 0 30 2 *' }).replace('"0 0 30 2 *"', '{expression}')],
  'fields.invalid': (found) => [
    ...found,
    trigger({ trigger: { type: '?' } })
      .replace('Trigger', '{thing}')
      .replace('"?"', '{received}'),
  ],
  header_forbidden: () => HEADERS.map(([name, value]) => header(name, value)),
  never_fires: () => [trigger({ trigger: { type: 'once', at: '1999-01-01T00:00:00Z' } })],
  payload_erased: () => [said(() => requireReadable(ERASED))],
  payload_undecryptable: () => REASONS.map((reason) => said(() => requireReadable(undecryptable(reason, '')))),
  required: (found) => [said(() => requireShape(z.strictObject({ field: z.string() }), {})), ...found],
  unknown_parameter: () => [said(() => requireShape(z.strictObject({}), { other: '1' }, 'parameter'))],
}

const REASONS: readonly UnreadableReason[] = ['corrupt', 'key_unknown', 'plaintext']

/** One of each kind that is refused. */
const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['x-note', 'two\r\nlines'],
  ['x-note', 'x'.repeat(5_000)],
  ['host', 'example.com'],
  ['cookie', 'a=b'],
  ['x-note', 'pk_0123456789abcdef_secret'],
]

function header(name: string, value: string): string {
  const message = headerProblem(name, value)?.message
  if (message === undefined) throw new TypeError(`The header ${name} is accepted.`)
  return message.replace(`"${name}"`, '{header}')
}

function cron(expression: string): string {
  return said(() => parseCron(expression))
    .replace(/got (\d+) in ".*?"/, 'got {count} in {expression}')
    .replace(/got ("@.*?"|7)/, 'got {expression}')
}

function trigger(fields: TriggerFields): string {
  return said(() => {
    const problems = new FieldProblems()
    readTriggerFields(problems, fields, null, { now: Date.UTC(2026, 0, 1), allowsSeconds: false, calendar: null })
    problems.throwIfAny()
  })
}

/** What is said about what is refused; about a field of it, where it is that. */
function said(refused: () => unknown): string {
  try {
    refused()
  } catch (error) {
    if (error instanceof InvalidFieldsError) return error.problems.map(({ message }) => message).join(' ')
    if (error instanceof Error) return error.message
  }
  throw new TypeError('It is accepted.')
}
