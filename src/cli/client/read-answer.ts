import { AnsweredError } from './errors.ts'

/** As much of RFC 9457 as is told. */
interface Problem {
  readonly code: string
  readonly detail?: string
  readonly trace_id?: string
  readonly errors?: readonly { readonly pointer: string; readonly code: string; readonly message: string }[]
}

const UNKNOWN =
  'set PONTUAL_TOKEN or PONTUAL_API_KEY to show who you are; a token that has expired has to be asked for anew.'

/** What was asked for, or an error that says why it was not given. */
export async function readAnswer(response: Response, place: string): Promise<unknown> {
  const text = await response.text()
  const json = parsed(text)
  if (!response.ok) throw problemError(response, json, place)
  if (text === '') return undefined
  if (json === undefined) throw noService(response.status, place)
  return json
}

/** Why a service did not give what was asked for. */
export async function refusalOf(response: Response, place: string): Promise<AnsweredError> {
  return problemError(response, parsed(await response.text()), place)
}

function problemError(response: Response, json: unknown, place: string): AnsweredError {
  const { status } = response
  if (status >= 300 && status < 400) return redirected(response, place)
  if (typeof json !== 'object' || json === null || !('code' in json)) return noService(status, place)
  const { code, detail, trace_id: traceId, errors } = json as Problem
  const told = detail ?? `It answers with status ${status}.`
  const fields = (errors ?? []).map(({ pointer, message }) => `\n  ${pointer}: ${message}`)
  const hint = status === 401 ? ` At ${place}: ${UNKNOWN}` : status >= 500 ? ` (trace ${traceId})` : ''
  const details = { status, place, ...(errors && { errors }), ...(traceId !== undefined && { traceId }) }
  return new AnsweredError(status, code, `${told}${fields.join('')}${hint}`, details)
}

/** Something else than a service answers. */
export function noService(status: number, place: string): AnsweredError {
  const message = `What answers at ${place} (status ${status}) is no Pontual: is the address right, and the prefix, should it be mounted under one?`
  return new AnsweredError(status, 'client.no_service', message, { status, place })
}

/** Not followed: credentials are for the address that was named. */
function redirected({ status, headers }: Response, place: string): AnsweredError {
  const target = headers.get('location') ?? 'nowhere'
  const message = `${place} sends to ${target}: name that address with --url or PONTUAL_URL, if it is the right one.`
  return new AnsweredError(status, 'client.redirected', message, { status, place, target })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
