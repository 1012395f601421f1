import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OverlapRule } from '../../../../src/job/rules/overlap.ts'
import type { MisfirePolicy } from '../../../../src/time/misfire/policy.ts'

/** What was to happen: written before anything begins, so that a checker who reads only the folder knows what to expect. */
export interface WorldFile {
  readonly seed: number
  readonly minutes: number
  /** How long a node may be silent before its work is given to others, and how often others look for such work. */
  readonly leaseMs: number
  readonly staleCheckMs: number
  readonly pollMs: number
  readonly renewalMs: number
  /** Epoch milliseconds are instants of the lines plus this, in the beginning: the machine's wall clock is also the database's. Later readings stand in lines of their own. */
  readonly wallMinusMachineMs: number
  readonly jobTypes: readonly JobTypeOfWorld[]
  readonly schedules: readonly ScheduleOfWorld[]
  readonly tenants: readonly TenantOfWorld[]
  /** A table of the user, `(execution_id uuid, mark text)`, into which a transaction of each order writes one row. */
  readonly bookings: string
  /** Activities of an order beside its transaction, the same for each; each is performed by `performed` lines of that name. */
  readonly activities: readonly string[]
}

export interface JobTypeOfWorld {
  readonly id: string
  readonly isDurable: boolean
  /** How often it may begin; null where no loss of a node ends it. */
  readonly maxAttempts: number | null
  /** It takes its process along whenever it begins: it has to use up all its attempts, and to end FAILED. */
  readonly isPoison: boolean
  /** No retry comes sooner after the attempt before it has failed. */
  readonly leastRetryMs: number
}

export interface ScheduleOfWorld {
  readonly name: string
  readonly tenant: string
  readonly jobType: string
  /** As the database keeps it; for a reader. Every instant that is a multiple of `everyMs` of the epoch is an occurrence. */
  readonly cron: string
  readonly everyMs: number
  readonly policy: MisfirePolicy
  readonly thresholdMs: number
  readonly catchUpLimit: number
  readonly overlap: OverlapRule
  /** Whether clients pause and resume it, and put it again as it is, while chaos reigns. All are paused at the end. */
  readonly isDisturbed: boolean
}

export interface TenantOfWorld {
  readonly name: string
  /** How many of its executions may run at once in the beginning; null: any number, for ever. A limit is edited by `setTenant`. */
  readonly limit: number | null
}

const NAME = 'world.json'

export function writeWorld(folder: string, world: WorldFile): void {
  writeFileSync(join(folder, NAME), `${JSON.stringify(world, null, 2)}\n`)
}

export function readWorld(folder: string): WorldFile {
  return JSON.parse(readFileSync(join(folder, NAME), 'utf8')) as WorldFile
}
