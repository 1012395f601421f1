import { requireOneOf } from '../../time/require.ts'

/** How urgent an execution is. The lower ones age: none waits for ever. */
export type Priority = 'HIGH' | 'MEDIUM' | 'LOW'

export const PRIORITIES: readonly Priority[] = Object.freeze<Priority[]>(['HIGH', 'MEDIUM', 'LOW'])

export function requirePriority(value: unknown): Priority {
  return requireOneOf(value, 'priority', PRIORITIES)
}

/** As it is stored: 1 is taken first. */
export function priorityRank(priority: Priority): number {
  return PRIORITIES.indexOf(priority) + 1
}

export function priorityOfRank(rank: number): Priority {
  return PRIORITIES[rank - 1] ?? 'LOW'
}
