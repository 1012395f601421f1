import { InvalidInputError, quote } from '../../errors.ts'
import { requireFields } from '../../time/require.ts'
import { requireName } from '../name.ts'
import { type Priority, requirePriority } from '../rules/priority.ts'
import type { RetryRules } from '../rules/retry.ts'
import type { ChainCondition } from './execution.ts'

/** A job type, as far as whoever starts it needs to know it. */
interface StartableType {
  readonly id: string
  readonly queue: string
  readonly priority: Priority
  readonly retry: RetryRules | null
}

/** A job type to run after another: the type, its id where this process does not know it, or either with where it waits. */
export type FollowerOption =
  | StartableType
  | string
  | {
      readonly type: StartableType | string
      /** Default: the job type's. */
      readonly queue?: string | undefined
      /** Default: the job type's. */
      readonly priority?: Priority | undefined
    }

/** What a job type starts when one of its executions ends; null where the follower's own rules hold. */
export interface DeclaredFollower {
  readonly jobType: string
  readonly on: ChainCondition
  readonly queue: string | null
  readonly priority: Priority | null
  readonly retry: RetryRules | null
}

/** The followers of an option, each job type once. */
export function declaredFollowers(
  option: FollowerOption | readonly FollowerOption[] | undefined,
  on: ChainCondition,
  thing: string,
): DeclaredFollower[] {
  if (option === undefined) return []
  const list = Array.isArray(option) ? (option as readonly FollowerOption[]) : [option as FollowerOption]
  const followers = list.map((each) => followerOf(each, on, thing))
  const twice = followers.find(
    ({ jobType }, index) => followers.findIndex((other) => other.jobType === jobType) < index,
  )
  if (!twice) return followers
  throw new InvalidInputError('option.invalid', `${thing} names job type ${quote(twice.jobType)} twice.`, {
    name: thing,
  })
}

function followerOf(option: FollowerOption, on: ChainCondition, thing: string): DeclaredFollower {
  if (typeof option === 'object' && option !== null && 'type' in option) {
    const { queue, priority } = requireFields(option, thing, ['type', 'queue', 'priority'])
    const follower = followerOf(option.type, on, thing)
    return {
      ...follower,
      ...(queue === undefined ? {} : { queue: requireName(queue, `${thing}: queue`) }),
      ...(priority === undefined ? {} : { priority: requirePriority(priority) }),
    }
  }
  if (typeof option === 'string') {
    return { jobType: requireName(option, `${thing}: job type id`), on, queue: null, priority: null, retry: null }
  }
  if (typeof option?.id !== 'string') {
    const message = `${thing} must hold what job(…) gives, the id of a job type, or { type, queue, priority }, got ${quote(option)}.`
    throw new InvalidInputError('option.invalid', message, { name: thing })
  }
  const { id, queue, priority, retry } = option
  return { jobType: requireName(id, `${thing}: job type id`), on, queue, priority, retry }
}
