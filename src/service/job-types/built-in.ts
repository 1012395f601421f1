import type { AnyJobType } from '../../job/type/job-type.ts'
import type { Pontual } from '../../pontual.ts'
import { type CommandRunOptions, commandRun } from './command-run.ts'
import { type HttpRequestOptions, httpRequest } from './http-request.ts'
import { maintenanceTypes, rotateKeys } from './maintenance.ts'
import { retentionTypes } from './retention.ts'

/** Which of the job types that come with the service there are, and what they may do. */
export interface BuiltInOptions {
  /** Where `http.request` may go. Default: public addresses, on ports 80 and 443. `false`: there is no `http.request`. */
  readonly http?: HttpRequestOptions | false | undefined
  /** The programs of `command.run`. Default: there is no `command.run`. */
  readonly command?: CommandRunOptions | undefined
}

/**
 * The job types that come with the service: `http.request`, `command.run` where it is enabled, `maintenance.*`, and Pontual's own, `pontual.*`.
 *
 * ```ts
 * const app: Pontual = pontual({ store, jobs: [...myJobs, ...builtInTypes(() => app)] })
 * ```
 */
export function builtInTypes(app: () => Pontual, options: BuiltInOptions = {}): readonly AnyJobType[] {
  const { http = {}, command } = options
  return [
    ...(http === false ? [] : [httpRequest(http) as AnyJobType]),
    ...(command === undefined ? [] : [commandRun(command) as AnyJobType]),
    ...maintenanceTypes(app),
    ...retentionTypes(app),
    rotateKeys(app),
  ]
}
