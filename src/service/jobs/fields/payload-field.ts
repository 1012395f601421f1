import { decodeValue, inputEncoder } from '../../../durable/codec.ts'
import { PontualError } from '../../../errors.ts'
import type { AnyJobType } from '../../../job/type/job-type.ts'
import { issuesOf, placeOf, type SchemaIssue } from '../../../job/type/standard-schema.ts'
import { cutText, type Said } from '../../errors.ts'
import { type FieldProblems, pointerTo } from '../../field-problems.ts'
import { isZodOwn } from '../../i18n/zod-issue.ts'

const MAX_PAYLOAD_BYTES = 262_144
/** What a schema of somebody's own says may repeat what was sent. */
const LONGEST_MESSAGE = 200

/** What a job type is to be known of, to read a payload for it. */
export type PayloadTaker = Pick<AnyJobType, 'schema' | 'isDurable'>

/** A payload as it is stored, checked by what the job type says about it; undefined where it is refused, which is noted. */
export async function readPayload(
  problems: FieldProblems,
  value: unknown,
  { schema, isDurable }: PayloadTaker,
): Promise<string | null | undefined> {
  // On the wire there is no word for nothing but null.
  const given = value === null ? undefined : value
  try {
    const text = inputEncoder(isDurable)(given, 'payload', MAX_PAYLOAD_BYTES)
    if (schema === null) return text
    const data = decodeValue(text)
    const issues = await issuesOf(schema, data)
    for (const issue of issues) noteIssue(problems, issue, data)
    return issues.length === 0 ? text : undefined
  } catch (error) {
    if (!(error instanceof PontualError)) throw error
    const { message, details, code } = error
    const isLarge = code === 'payload.too_large'
    problems.note('/payload', isLarge ? 'payload_too_large' : 'payload_invalid', message, { code, details })
    return undefined
  }
}

function noteIssue(problems: FieldProblems, issue: SchemaIssue, data: unknown): void {
  const place = placeOf(issue.path)
  const { code } = issue.params ?? {}
  const message = cutText(issue.message, LONGEST_MESSAGE)
  const own = typeof code === 'string' ? code : 'payload_invalid'
  problems.note(pointerTo('payload', ...place), own, message, saidBy(issue, place, data))
}

/** What a schema says in words of its author, it says in no other language. */
function saidBy(issue: SchemaIssue, place: readonly string[], data: unknown): Said {
  const { code, ...details } = issue.params ?? {}
  if (typeof code === 'string') return { code, details }
  const whole = { ...issue, input: valueAt(data, place) }
  return isZodOwn(whole) ? { code: 'schema', details: { issue: whole } } : { code: 'payload_invalid', details: {} }
}

function valueAt(data: unknown, place: readonly string[]): unknown {
  let value = data
  for (const part of place) {
    const isInside = typeof value === 'object' && value !== null && Object.hasOwn(value, part)
    value = isInside ? (value as Readonly<Record<string, unknown>>)[part] : undefined
  }
  return value
}
