import type { AuditDraft } from '../../../src/access/audit.ts'
import type { App } from '../../../src/engine/app/app.ts'
import { defineJob } from '../../../src/engine/app/schedule-job.ts'
import type { Author } from '../../../src/engine/lifecycle/audit.ts'
import { changeJob, type JobDecision } from '../../../src/engine/lifecycle/change-job.ts'
import { type CreateRequest, createJob } from '../../../src/engine/lifecycle/create-job.ts'
import { hashDefinition } from '../../../src/engine/lifecycle/hash-definition.ts'
import type { Job, JobDefinition } from '../../../src/job/job.ts'
import type { JobStatus } from '../../../src/job/job-status.ts'
import type { ScheduleOptions } from '../../../src/job/schedule-options.ts'
import { type AnyJobType, type JobTypeOptions, job } from '../../../src/job/type/job-type.ts'
import type { Pontual } from '../../../src/pontual.ts'
import { cron } from '../../../src/time.ts'

export const ANA = person('ana')
export const BEN = person('ben')
export const DORA = person('dora')

export const work = job<unknown>('work', { run: () => {} })
export const purge = job<unknown>('purge', { sensitive: true, run: () => {} })

export function person(userId: string): Author {
  return { userId, persons: [userId] }
}

/** A job type that notes with what it has run. */
export function recorded(
  id: string,
  options: Pick<JobTypeOptions<unknown, unknown>, 'sensitive' | 'schedule'> = {},
): { readonly type: AnyJobType; readonly runs: readonly unknown[] } {
  const runs: unknown[] = []
  return { type: job<unknown>(id, { ...options, run: (input) => void runs.push(input) }), runs }
}

/** What somebody wants of a job. */
export type Decide = (job: Job) => Promise<JobDecision | null> | JobDecision | null

/** Jobs of one tenant, and what people do to them. */
export class Stage {
  readonly opened: App
  readonly audit: AuditDraft[] = []

  static async of(app: Pontual): Promise<Stage> {
    return new Stage(await app.opened())
  }

  private constructor(opened: App) {
    this.opened = opened
  }

  get around(): App['deps'] {
    return this.opened.deps
  }

  async define(options: Partial<ScheduleOptions> = {}, type: AnyJobType = work): Promise<JobDefinition> {
    const trigger = cron('0 3 * * *')
    return await defineJob('closing', type, { trigger, ...options }, this.opened.options.scheduleDefaults, null)
  }

  async create(change: Partial<CreateRequest> = {}, by: Author = ANA): Promise<Job> {
    const definition = change.definition ?? (await this.define())
    return await createJob(this.around, { tenant: 'default', name: 'closing', ...change, definition }, by)
  }

  async change({ id, name }: Job, decide: Decide): Promise<Job> {
    const read = async () => (await this.around.store.jobs.find([id]))[0] ?? null
    return await changeJob(this.around, name, read, async (found) => {
      const decision = found === null ? null : await decide(found)
      if (decision?.change.audit) this.audit.push(decision.change.audit)
      return decision
    })
  }

  /** A job as it stands in a status, whatever the way there: a sensitive one was approved by Ben, unless it still waits. */
  async in(status: JobStatus, isSensitive: boolean): Promise<Job> {
    const made = await this.create({ isSensitive, name: `${status} ${isSensitive}` })
    const { name, definition, details } = made
    const approval = { by: 'ben', at: made.createdAt, hash: hashDefinition(name, definition), comment: null }
    const isApproved = isSensitive && status !== 'PENDING_APPROVAL' && status !== 'DISABLED'
    const resumeStatus = status === 'PAUSED' || status === 'FAULTED' ? (isSensitive ? 'APPROVED' : 'ACTIVE') : null
    return await this.change(made, (job) => ({
      change: {
        job: {
          ...job,
          status,
          resumeStatus,
          details: isApproved ? { ...details, authors: [], approval } : details,
          version: job.version + 1,
        },
        expectedVersion: job.version,
        ledger: [],
      },
    }))
  }
}
