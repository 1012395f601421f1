import { language } from '../language/language.ts'
import { forgetSession } from '../session/session.ts'
import { apiAddress } from './places.ts'
import { Problem } from './problem.ts'

export interface Asked {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly body?: unknown
  /** The version that was seen: another one is refused. */
  readonly version?: number | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

/** Asks the API, by the path below `/api/`; throws a Problem where it does not do what was asked. */
export async function ask<Answer>(path: string, asked: Asked = {}): Promise<Answer> {
  const { method = 'GET', body, version, headers = {}, signal } = asked
  const answer = await sent(path, {
    method,
    headers: {
      accept: 'application/json',
      'accept-language': language.value,
      'x-pontual-request': 'dashboard',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(version === undefined ? {} : { 'if-match': `"${version}"` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  })
  const value = await bodyOf(answer)
  if (answer.ok) return value as Answer
  if (answer.status === 401) forgetSession()
  throw new Problem(answer.status, value ?? {})
}

async function sent(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(apiAddress(path), { credentials: 'same-origin', ...init })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new Problem(0, {})
  }
}

async function bodyOf(answer: Response): Promise<unknown> {
  if (!(answer.headers.get('content-type') ?? '').includes('json')) return undefined
  return (await answer.json().catch(() => undefined)) as unknown
}

/** A path with parameters; those that are undefined, null or empty are left out. */
export function withParameters(
  path: string,
  parameters: Readonly<Record<string, string | number | boolean | null | undefined>>,
): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null && value !== '')
  if (given.length === 0) return path
  return `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`
}
