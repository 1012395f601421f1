import { requireEqual, requireThat, violated } from '../expectations.ts'
import type { ApiDescription } from './document.ts'
import { problemsWith } from './json-schema.ts'
import type { MadeUpRequest } from './requests.ts'
import type { Answer } from './stage.ts'

const LEAKS = /node_modules|\.[tj]s:\d+|\bat \w+ \(|select |insert into|pontual\.\w+_|SQLSTATE|\[object Object\]/i

/** Why a value is refused that a schema could have told: whoever keeps to the description never hears them. */
const STATABLE = [
  'type_invalid',
  'out_of_range',
  'value_unknown',
  'unknown_field',
  'unknown_parameter',
  'length_invalid',
]

/**
 * What a schema cannot tell: rules in JSON of their own, instants that depend on now, figures that depend on the kind of an alert, permissions that depend on the profile,
 * and what a job may be sent back with because it was read so.
 */
const UNSTATABLE =
  /^\/(definition|trigger|overlap)|^\/(from|to|until|runAt|expiresAt|threshold|clearAt|permissions|timeoutMinutes|payloadError|recentExecutions|statistics|lastExecutions)$/

interface Problem {
  readonly code: string
  readonly status: number
  readonly errors?: readonly { readonly pointer: string; readonly code: string; readonly message: string }[]
}

/** Whatever is sent, the answer is one that the description has, in the form that it says. */
export function judge(request: MadeUpRequest, answer: Answer, description: ApiDescription): void {
  const { operation } = request
  const { status, headers, text } = answer
  const shown = `${operation.method} ${operation.path} answers ${status}: ${text.slice(0, 600)}`
  requireThat(status < 500, () => shown)
  const shape = operation.answers.get(status)
  if (!shape) violated(`not described: ${shown}`)
  for (const name of shape.headers) requireThat(headers.has(name), () => `without ${name}: ${shown}`)
  requireEqual(headers.get('x-content-type-options'), 'nosniff', `X-Content-Type-Options of ${shown}`)
  const type = headers.get('content-type')?.split(';')[0] ?? ''
  const types = Object.keys(shape.content)
  if (types.length === 0) requireEqual(text, '', 'a body where there is none')
  else requireThat(types.includes(type), () => `comes as ${type}: ${shown}`)
  const schema = shape.content[type]?.schema
  if (type.endsWith('json') && schema) {
    const problems = problemsWith(schema, JSON.parse(text), description.components)
    requireThat(problems.length === 0, () => `not as described, ${problems.slice(0, 3).join('; ')}: ${shown}`)
  }
  if (request.asker === null) requireEqual(status, 401, 'the answer to whoever has not shown who he is')
  if (status >= 400) judgeProblem(request, answer, shown)
}

function judgeProblem(request: MadeUpRequest, { status, text }: Answer, shown: string): void {
  const problem = JSON.parse(text) as Problem
  requireEqual(problem.status, status, `the status in ${shown}`)
  requireThat(text.length < 20_000 && !LEAKS.test(text), () => `tells too much: ${shown}`)
  if (request.kind !== 'described' || status !== 400) return
  const told = (problem.errors ?? []).filter(
    ({ code, pointer }) => STATABLE.includes(code) && !UNSTATABLE.test(pointer),
  )
  requireThat(
    told.length === 0,
    () => `is as described, and is refused for what could be described, ${JSON.stringify(told)}: ${shown}`,
  )
}
