import { z } from 'zod'
import { didYouMean, nearest } from '../../nearest.ts'
import { type FieldProblem, InvalidFieldsError, MOST_PROBLEMS, type Said } from '../../service/errors.ts'
import { expectationOf } from '../schemas/expected.ts'
import { pointerOf } from './json-text.ts'

const { localeError: inEnglish } = z.locales.en()

type Issue = z.core.$ZodIssue

/** A value as its schema gives it out; otherwise an error that names every field, or parameter, that cannot be accepted. */
export function requireShape<Output>(
  schema: z.ZodType<Output>,
  value: unknown,
  thing: 'field' | 'parameter' = 'field',
): Output {
  // Told in English here, whatever language the application has given to Zod.
  const result = schema.safeParse(value, { reportInput: true, error: inEnglish })
  if (result.success) return result.data
  const { issues } = result.error
  const problems = issues.slice(0, MOST_PROBLEMS).flatMap((issue) => problemsOf(issue, thing, schema))
  const count = issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0)
  throw new InvalidFieldsError(problems, count)
}

function problemsOf(issue: Issue, thing: string, schema: z.ZodType): FieldProblem[] {
  const pointer = pointerOf(issue.path)
  if (issue.code === 'unrecognized_keys') {
    const known = issue.path.length === 0 ? namesOf(schema) : []
    return issue.keys.slice(0, MOST_PROBLEMS).map((key) => ({
      pointer: pointerOf([...issue.path, key]),
      code: `unknown_${thing}`,
      message: `There is no such ${thing}.${didYouMean(key, known)}`,
      says: { code: `unknown_${thing}`, details: { suggestion: nearest(key, known) } },
    }))
  }
  return [{ pointer, code: codeOf(issue), message: messageOf(issue), says: saidBy(issue) }]
}

/** The fields of an object, as far as its schema tells. */
function namesOf(schema: z.ZodType & { readonly shape?: unknown }): string[] {
  return Object.keys(schema.shape ?? {})
}

function codeOf(issue: Issue): string {
  if (isMissing(issue)) return 'required'
  if (issue.code === 'invalid_type') return 'type_invalid'
  if (issue.code === 'invalid_value') return 'value_unknown'
  if (issue.code !== 'too_small' && issue.code !== 'too_big') return 'format_invalid'
  return issue.origin === 'string' ? 'length_invalid' : 'out_of_range'
}

function messageOf(issue: Issue): string {
  return isMissing(issue) ? 'Required.' : `${issue.message}.`
}

/** What was expected in words of our own is known by them; the rest is said by Zod. */
function saidBy(issue: Issue): Said {
  if (isMissing(issue)) return { code: 'required', details: {} }
  return expectationOf(issue.message) ?? { code: 'schema', details: { issue } }
}

function isMissing(issue: Issue): boolean {
  return (issue.code === 'invalid_type' || issue.code === 'invalid_value') && issue.input === undefined
}
