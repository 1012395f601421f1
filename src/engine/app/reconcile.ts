import { PontualError } from '../../errors.ts'
import type { Job } from '../../job/job.ts'
import { requireName } from '../../job/name.ts'
import type { DeclaredSchedule } from '../../job/schedule-options.ts'
import type { AnyJobType } from '../../job/type/job-type.ts'
import type { Logger } from '../../logger.ts'
import { codeOf } from '../lifecycle/author.ts'
import { changeJob } from '../lifecycle/change-job.ts'
import type { LifecycleSurroundings } from '../lifecycle/surroundings.ts'
import { type OverrideOf, overriddenTrigger } from './cron-overrides.ts'
import { defineJob, type ScheduleDefaults, type ScheduleRequest, scheduledJob } from './schedule-job.ts'

export interface ReconcileOptions extends LifecycleSurroundings {
  readonly logger: Logger
  readonly tenant: string
  /** The application; null where it has no name of its own. */
  readonly application: string | null
  readonly defaults: ScheduleDefaults
  readonly declared: readonly DeclaredJob[]
  readonly overrideOf: OverrideOf
}

/** A job that the code declares. */
export interface DeclaredJob {
  readonly name: string
  readonly type: AnyJobType
  readonly schedule: DeclaredSchedule
}

/** Brings the stored jobs in line with those that the code declares: by name, created or changed. */
export async function reconcile(options: ReconcileOptions): Promise<void> {
  for (const each of options.declared) {
    try {
      await put(options, await requestOf(options, each))
    } catch (error) {
      if (!hasBecomeImpossible(error)) throw error
      options.logger.warn('A declared job is left out', { job: each.name, error })
    }
  }
}

/** A wrong declaration is a bug of the code; one whose instants are past, or that a calendar of the operators' excludes, is not. */
function hasBecomeImpossible(error: unknown): boolean {
  if (!(error instanceof PontualError)) return false
  return error.code === 'job.in_past' || (error.code === 'job.never_fires' && 'calendar' in error.details)
}

/** All jobs that the code declares. */
export function declaredJobs(types: readonly AnyJobType[]): DeclaredJob[] {
  const declared: DeclaredJob[] = []
  const names = new Set<string>()
  for (const type of types) {
    for (const { name = type.id, ...schedule } of type.schedules) {
      requireName(name, `Name of a job of job type "${type.id}"`)
      if (names.has(name)) {
        throw new PontualError(
          'job.declared_twice',
          `Job "${name}" is declared twice; give each schedule its own name.`,
          {
            job: name,
          },
        )
      }
      names.add(name)
      declared.push({ name, type, schedule })
    }
  }
  return declared
}

async function requestOf(options: ReconcileOptions, { name, type, schedule }: DeclaredJob): Promise<ScheduleRequest> {
  const { tenant, defaults, application, overrideOf, logger } = options
  const { trigger, override } = overriddenTrigger(name, schedule.trigger, overrideOf(name), logger)
  const definition = await defineJob(name, type, { ...schedule, trigger }, defaults, application ?? '')
  return { tenant, name, definition, override, origin: 'code', by: codeOf(application) }
}

/** Creates or changes a job, whatever others do at the same time. */
export async function put(around: LifecycleSurroundings, request: ScheduleRequest): Promise<Job> {
  const { store } = around
  const find = async () => (await store.jobs.findByName(request.tenant, [request.name]))[0] ?? null
  return await changeJob(around, request.name, find, (existing) => scheduledJob(around, request, existing))
}
