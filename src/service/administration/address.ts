import { FieldRefusal } from '../field-problems.ts'
import { readText } from '../visible-text.ts'

/** One plain address and nothing else: no name beside it, no quotes, no group, nothing that a mail server could read as two. */
const ADDRESS =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

const MAX_LENGTH = 254

export function isAddress(text: string): boolean {
  return text.length <= MAX_LENGTH && ADDRESS.test(text)
}

/** An e-mail address that somebody may be told of failures at. */
export function readAddress(value: unknown, name: string): string {
  const address = readText(value, name, { min: 3, max: MAX_LENGTH })
  if (isAddress(address)) return address
  const message = `${name} must be an e-mail address such as "ana@example.com".`
  throw new FieldRefusal('format_invalid', message, { case: 'address', name })
}
