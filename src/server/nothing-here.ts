import { RequestError } from './request/request-error.ts'

/** For a path that nobody answers. */
export function nothingHere(prefix: string): RequestError {
  return new RequestError(
    404,
    'not_found',
    `There is nothing at this path; ${prefix}/api/jobs/openapi.json tells what there is.`,
    { details: { case: 'path', prefix } },
  )
}
