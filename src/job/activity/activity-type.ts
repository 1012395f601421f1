import { type AnyJobType, type JobType, job } from '../type/job-type.ts'
import type { AnyActivity } from './activity.ts'

/** The job type of the executions that perform an activity with a queue of its own. */
export interface ActivityJobType extends JobType<unknown, unknown, unknown> {
  readonly activity: AnyActivity
}

export function activityTypeId(activityId: string): string {
  return `activity:${activityId}`
}

export function activityType(activity: AnyActivity): ActivityJobType {
  const { queue } = activity.rules
  const type = job<unknown>(activityTypeId(activity.id), {
    run: () => undefined,
    ...(queue === null ? {} : { queue }),
  })
  return Object.freeze({ ...type, activity })
}

/** The activity that a job type stands for; null where it is a job of its own. */
export function activityOf(type: AnyJobType): AnyActivity | null {
  return 'activity' in type ? (type as ActivityJobType).activity : null
}
