import { InvalidInputError, quote } from '../../errors.ts'
import { describeApi } from '../../server/routes/openapi.ts'
import { routes } from '../../server/routes/routes.ts'
import type { Terminal } from '../terminal.ts'

export interface PrintOpenApiOptions {
  /** What stands before `/api`. */
  readonly prefix: string
  readonly json: boolean
}

const PREFIX = /^(\/[\w.~-]+)*$/

/** `pontual openapi`: what a service of this version answers, for generators of clients. */
export function printOpenApi({ prefix, json }: PrintOpenApiOptions, terminal: Terminal): void {
  if (!PREFIX.test(prefix)) {
    const message = `--prefix must be a path such as "/ops", without a slash at its end, got ${quote(prefix)}.`
    throw new InvalidInputError('option.invalid', message, { name: 'prefix' })
  }
  terminal.write(`${JSON.stringify(describeApi(routes, prefix), null, json ? undefined : 2)}\n`)
}
