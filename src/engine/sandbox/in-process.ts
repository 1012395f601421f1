import type { AnyJobType } from '../../job/type/job-type.ts'
import { type IsolatedHandler, loadHandler } from './inside/load-handler.ts'

/** The handler of a job type, isolated or not, for this process: where time is moved by hand a thread or a process could not follow. */
export function handlerInProcess(type: AnyJobType): IsolatedHandler {
  const { id, isolation } = type
  if (isolation?.handler.from !== 'module') return (input, context) => type.run(input, context)
  const { handler: source } = isolation
  let loading: Promise<IsolatedHandler> | null = null
  return async (input, context) => {
    loading ??= loadHandler(source, id)
    const handler = await loading
    return await handler(input, context)
  }
}
