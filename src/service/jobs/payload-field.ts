import { decodeValue, encodeValue } from '../../durable/codec.ts'
import { PontualError } from '../../errors.ts'
import type { AnyJobType } from '../../job/job-type.ts'
import { encodePayload } from '../../job/payload.ts'
import { InvalidPayloadError, validate } from '../../job/standard-schema.ts'
import { cutText } from '../errors.ts'
import { type FieldProblems, pointerTo } from '../field-problems.ts'

const MAX_PAYLOAD_BYTES = 262_144
/** What a schema of somebody's own says may repeat what was sent. */
const LONGEST_MESSAGE = 200

/** What a job type is to be known of, to read a payload for it. */
export type PayloadTaker = Pick<AnyJobType, 'schema' | 'isDurable'>

interface SchemaProblem {
  readonly path: string
  readonly message: string
  readonly code?: string | undefined
}

/** A payload as it is stored, checked by what the job type says about it; undefined where it is refused, which is noted. */
export async function readPayload(
  problems: FieldProblems,
  value: unknown,
  { schema, isDurable }: PayloadTaker,
): Promise<string | null | undefined> {
  // On the wire there is no word for nothing but null.
  const given = value === null ? undefined : value
  try {
    const text = (isDurable ? encodeValue : encodePayload)(given, 'payload', MAX_PAYLOAD_BYTES)
    if (schema) await validate(schema, decodeValue(text), 'payload')
    return text
  } catch (error) {
    if (!(error instanceof PontualError)) throw error
    note(problems, error)
    return undefined
  }
}

function note(problems: FieldProblems, error: PontualError): void {
  const issues = error instanceof InvalidPayloadError ? (error.details['issues'] as readonly SchemaProblem[]) : []
  for (const { path, message, code = 'payload_invalid' } of issues) {
    problems.add(pointerTo('payload', ...(path === '' ? [] : path.split('.'))), code, cutText(message, LONGEST_MESSAGE))
  }
  if (issues.length > 0) return
  const isLarge = error.code === 'payload.too_large'
  problems.add('/payload', isLarge ? 'payload_too_large' : 'payload_invalid', error.message)
}
