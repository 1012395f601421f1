import type { ErrorDetails } from '../../errors.ts'
import type { Said } from '../../service/errors.ts'
import type { ApiCode } from '../../service/i18n/codes.ts'

const EXPECTATIONS = new Map<string, Said>()

/** What a schema expects, in words of our own. Schemas hand on nothing but a message, so that what it says is known by that. */
export function expected(message: string, code: ApiCode & `expected.${string}`, details: ErrorDetails = {}): string {
  EXPECTATIONS.set(message, { code, details })
  return message
}

/** What a message says; null where it is none of ours. */
export function expectationOf(message: string): Said | null {
  return EXPECTATIONS.get(message) ?? null
}
