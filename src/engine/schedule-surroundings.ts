import type { Env } from '../clock.ts'
import type { ChangeSurroundings } from './job-changes.ts'
import type { StoreTime } from './store-time.ts'

/** What it takes to decide when a job is due. */
export interface ScheduleSurroundings extends ChangeSurroundings {
  readonly env: Env
  readonly time: StoreTime
}
