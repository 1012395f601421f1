import { type ErrorDetails, PontualError } from '../../errors.ts'
import type { ApiCode } from '../../service/i18n/codes.ts'

/** A request that cannot be served as it was sent, whatever it asks for: its path, method, headers or body. */
export class RequestError extends PontualError {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    code: ApiCode,
    message: string,
    { headers = {}, details = {} }: { headers?: Readonly<Record<string, string>>; details?: ErrorDetails } = {},
  ) {
    super(code, message, details)
    this.status = status
    this.headers = headers
  }
}

/** For a path that nobody answers. */
export function nothingHere(prefix: string): RequestError {
  return new RequestError(
    404,
    'not_found',
    `There is nothing at this path; ${prefix}/api/jobs/openapi.json tells what there is.`,
    { details: { case: 'path', prefix } },
  )
}
