import { FieldRefusal } from '../field-problems.ts'
import { readText } from '../visible-text.ts'

/** One plain address and nothing else: no name beside it, no quotes, no group, nothing that a mail server could read as two. */
const ADDRESS =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

/** An e-mail address that somebody may be told of failures at. */
export function readAddress(value: unknown, name: string): string {
  const address = readText(value, name, { min: 3, max: 254 })
  if (ADDRESS.test(address)) return address
  throw new FieldRefusal('format_invalid', `${name} must be an e-mail address such as "ana@example.com".`)
}
