import { RequestError } from './request-error.ts'
import type { Route } from './route.ts'

const JSON_TYPES = ['application/json'] as const

/** Throws where whoever asks takes nothing of what a route can answer with. Problems come as they are, whatever is taken. */
export function requireAcceptable({ answers }: Route, headers: Headers): void {
  const accept = headers.get('accept')
  if (accept === null || accept.trim() === '' || accept === '*/*') return
  const offered = Object.values(answers).flatMap(({ mediaTypes = JSON_TYPES }) => mediaTypes)
  const ranges = accept.split(',').map(readRange)
  if (offered.some((type) => isTaken(type, ranges))) return
  const types = [...new Set(offered)]
  throw new RequestError(406, 'not_acceptable', `This is answered as ${types.join(' or ')}.`, { details: { types } })
}

interface Range {
  readonly type: string
  readonly isRefused: boolean
}

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  return { type, isRefused: parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) }
}

/** The range that names a type most exactly decides about it. */
function isTaken(type: string, ranges: readonly Range[]): boolean {
  const family = `${type.slice(0, type.indexOf('/'))}/*`
  for (const candidate of [type, family, '*/*']) {
    const range = ranges.find((each) => each.type === candidate)
    if (range) return !range.isRefused
  }
  return false
}
