import type { AnyJobType } from '../../job/type/job-type.ts'
import type { ScheduleSurroundings } from '../firing/schedule-surroundings.ts'

/** What it takes to decide about a job. */
export interface LifecycleSurroundings extends ScheduleSurroundings {
  /** Those that are known here: a job type may be sensitive, and then its jobs are. */
  readonly types: ReadonlyMap<string, AnyJobType>
}

export function isSensitiveType({ types }: Pick<LifecycleSurroundings, 'types'>, jobType: string): boolean {
  return types.get(jobType)?.isSensitive ?? false
}
