import type { Env } from '../../clock.ts'
import type { ChangeSurroundings } from '../lifecycle/change-job.ts'
import type { StoreTime } from '../node/store-time.ts'

/** What it takes to decide when a job is due. */
export interface ScheduleSurroundings extends ChangeSurroundings {
  readonly env: Env
  readonly time: StoreTime
}
