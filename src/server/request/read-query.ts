import type { FieldProblem } from '../../service/errors.ts'
import { InvalidFieldsError } from '../../service/errors.ts'
import { pointerOf } from './json-text.ts'

const CONTROL = /\p{Cc}/u

/** The parameters of a request, each at most once: which of two counts would be anybody's guess. */
export function readQuery(url: string): Readonly<Record<string, string>> {
  const start = url.indexOf('?')
  if (start === -1) return {}
  const parameters = new Map<string, string>()
  const problems: FieldProblem[] = []
  for (const [name, value] of new URLSearchParams(url.slice(start).replace(/#.*$/s, ''))) {
    const pointer = pointerOf([name])
    if (parameters.has(name)) {
      problems.push({ pointer, code: 'duplicate_parameter', message: 'The parameter occurs twice.' })
    } else if (CONTROL.test(value)) {
      problems.push({
        pointer,
        code: 'format_invalid',
        message: 'Control characters are not accepted.',
        says: { code: 'format_invalid', details: { case: 'control' } },
      })
    }
    parameters.set(name, value)
  }
  if (problems.length > 0) throw new InvalidFieldsError(problems)
  return Object.fromEntries(parameters)
}
