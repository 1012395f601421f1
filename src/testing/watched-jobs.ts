import { handlerInProcess } from '../engine/sandbox/inside/load-handler.ts'
import type { ActivityContext, AnyActivity, CallOptions, CompensationContext } from '../job/activity/activity.ts'
import type { DurableContext } from '../job/activity/durable-context.ts'
import { batchOf } from '../job/type/batch.ts'
import type { AnyJobType, JobContext } from '../job/type/job-type.ts'

/** The work of one attempt of an activity. */
export interface ActivityWork {
  readonly kind: 'activity' | 'compensation'
  readonly context: ActivityContext
  /** undefined where it is a function without a declaration of its own. */
  readonly input: unknown
  perform(): unknown
}

/** Sees to all work that user code does in a test. */
export interface Watcher {
  handle(work: () => unknown): Promise<unknown>
  perform(work: ActivityWork): Promise<unknown>
  /** A durable job is about to call an activity. */
  onCalled?(activity: AnyActivity): void
}

/** The same job type, whose work goes through the watcher; isolated or not, it runs in this process. */
export function watchedJob(type: AnyJobType, watcher: Watcher): AnyJobType {
  // The code of a durable job may wait for the clock: what it does is seen at its activities.
  if (type.isDurable) {
    return { ...type, run: (input, context) => type.run(input, watchedContext(context as DurableContext, watcher)) }
  }
  const handler = handlerInProcess(type)
  const run = (input: unknown, context: JobContext | DurableContext) =>
    watcher.handle(() => handler(input, context as JobContext))
  const batch = batchOf(type)
  const watchedBatch = batch && {
    batch: { ...batch, run: (...call: Parameters<typeof batch.run>) => watcher.handle(() => batch.run(...call)) },
  }
  return { ...type, run, isolation: null, ...watchedBatch }
}

export function watchedActivity(activity: AnyActivity, watcher: Watcher): AnyActivity {
  return {
    ...activity,
    run: (input: unknown, context: ActivityContext) =>
      watcher.perform({ kind: 'activity', context, input, perform: () => activity.run(input, context) }),
    compensate: (input: unknown, context: CompensationContext<unknown>) =>
      watcher.perform({ kind: 'compensation', context, input, perform: () => activity.compensate(input, context) }),
  }
}

type Perform = (context: ActivityContext) => unknown

function watchedContext(context: DurableContext, watcher: Watcher): DurableContext {
  const run = (work: AnyActivity | string, given?: unknown, options?: CallOptions): unknown => {
    if (typeof work === 'string') {
      const perform: unknown =
        typeof given === 'function'
          ? (told: ActivityContext) =>
              watcher.perform({
                kind: 'activity',
                context: told,
                input: undefined,
                perform: () => (given as Perform)(told),
              })
          : given
      return context.run(work, perform as Perform, options)
    }
    // What is no activity is for the context to refuse.
    if (typeof work?.run !== 'function') return context.run(work, given, options)
    watcher.onCalled?.(work)
    return context.run(watchedActivity(work, watcher), given, options)
  }
  const watched = Object.defineProperties({}, Object.getOwnPropertyDescriptors(context)) as DurableContext
  return Object.defineProperty(watched, 'run', { value: run, enumerable: true })
}
