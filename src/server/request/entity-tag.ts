import { StaleVersionError } from '../../service/errors.ts'
import { RequestError } from './request-error.ts'

/** The tag of a version. */
export function entityTag(version: number): string {
  return `"${version}"`
}

/** The version that `If-Match` asks for; undefined where any will do. A tag that no version has is stale. */
export function expectedVersion(headers: Headers): number | undefined {
  const asked = headers.get('if-match')?.trim()
  if (asked === undefined || asked === '*') return undefined
  const tag = /^(W\/)?"([^"]*)"$/.exec(asked)
  if (!tag) {
    throw new RequestError(400, 'if_match_invalid', 'If-Match must be one entity tag as it was answered, or *.')
  }
  const [, weak, version = ''] = tag
  // A weak tag never matches: RFC 9110, section 13.1.1.
  if (weak === undefined && /^(0|[1-9]\d{0,15})$/.test(version)) return Number(version)
  throw new StaleVersionError('stale_version', 'This was changed since it was read: no version has this entity tag.', {
    kind: 'tag',
  })
}
