import { PontualError } from '../../errors.ts'

/** A service that answers, wherever it is. */
export interface Connection {
  /** For messages: `http://…`, or `the database of DATABASE_URL`. */
  readonly place: string
  /** Straight on the database: nobody has shown who he is. */
  readonly isDirect: boolean
  /** Asks for a path under `/api/jobs`. Throws an AnsweredError for an answer that is a problem, and an UnreachableError where none comes. */
  ask<Answer>(method: string, path: string, body?: unknown, options?: AskOptions): Promise<Answer>
  /**
   * Server-sent events, until the signal is aborted or the server says that there are no more. One that is cut off is taken up again behind the last event that came;
   * `onCut` is told why, once for each time.
   */
  stream(path: string, signal: AbortSignal, onCut?: (reason: string) => void): AsyncIterable<ServerEvent>
  close(): Promise<void>
}

export interface AskOptions {
  /** Only if it is still this version; else a conflict. */
  readonly version?: number
  /** Whoever asks has had enough; then its reason is thrown. */
  readonly signal?: AbortSignal
}

/** The service has answered, and not with what was asked for. */
export class AnsweredError extends PontualError {
  readonly status: number

  constructor(status: number, code: string, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(code, message, details)
    this.status = status
  }
}

/** Nobody answers. */
export class UnreachableError extends PontualError {}

/** Whether the same question may be answered later: nobody answers, or somebody who is in trouble. */
export function isPassing(error: unknown): boolean {
  if (error instanceof AnsweredError) return error.status >= 500 || error.status === 429
  return error instanceof UnreachableError
}

/** What goes wrong while an answer is read; what is known already stays as it is. */
export function cutOff(error: unknown, place: string): PontualError {
  if (error instanceof PontualError) return error
  const { cause } = (error ?? {}) as { readonly cause?: unknown }
  const { message: reason } = (cause instanceof Error ? cause : error) as Error
  const message = `${place} has broken off in the middle of its answer (${reason}): what was asked for may have been done or not. Look before you ask again.`
  return new UnreachableError('client.cut_off', message, { place, reason }, { cause: error })
}

/** One of the events that a server sends. */
export interface ServerEvent {
  /** `message` where the server gives it no name. */
  readonly event: string
  /** Where to go on from: the last id that was sent, with this event or before. */
  readonly id: string | null
  readonly data: unknown
}

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
