import { type Meeting, meet } from './meeting.ts'
import type { Stage } from './stage.ts'

/** What came of many meetings. */
export interface Tally {
  readonly meetings: number
  readonly violations: readonly string[]
  /** Those in which somebody waited for a lock, and those that came to be the same by themselves soon after. */
  readonly blocked: number
  readonly allowed: number
  /** Those that were like the order in which the verbs were sent, and those that were like another. */
  readonly inOrder: number
  readonly outOfOrder: number
}

export async function meetAll(
  stage: Stage,
  meetings: readonly Meeting[],
  tell: (violation: string) => void = () => {},
): Promise<Tally> {
  const violations: string[] = []
  const counts = { blocked: 0, allowed: 0, inOrder: 0, outOfOrder: 0 }
  for (const meeting of meetings) {
    const { violation, like, blocked, allowed } = await meet(stage, meeting).catch((error: unknown) => {
      throw new Error(`${describe(meeting)} failed.`, { cause: error })
    })
    if (violation) {
      violations.push(`${describe(meeting)}\n${violation}`)
      tell(violations.at(-1)!)
    }
    if (blocked > 0) counts.blocked += 1
    if (allowed) counts.allowed += 1
    if (like?.every((index, place) => index > (like[place - 1] ?? -1))) counts.inOrder += 1
    else counts.outOfOrder += 1
  }
  return { meetings: meetings.length, violations, ...counts }
}

function describe({ setting, verbs, isUndone, nth }: Meeting): string {
  const [first, ...others] = verbs
  const end = isUndone ? 'is undone' : 'commits'
  return `${setting}: "${first}" (statement ${nth}) ${end} once ${others.map((name) => `"${name}"`).join(', ')} were sent`
}
