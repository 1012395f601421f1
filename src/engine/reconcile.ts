import { PontualError } from '../errors.ts'
import type { Job } from '../job/job.ts'
import type { AnyJobType } from '../job/job-type.ts'
import { requireName } from '../job/name.ts'
import type { DeclaredSchedule } from '../job/schedule-options.ts'
import type { Logger } from '../logger.ts'
import { type OverrideOf, overriddenTrigger } from './cron-overrides.ts'
import { changeJob } from './job-changes.ts'
import { codeOf } from './lifecycle/author.ts'
import { vanishedJob } from './lifecycle/disabled-job.ts'
import type { LifecycleSurroundings } from './lifecycle/surroundings.ts'
import { defineJob, type ScheduleDefaults, type ScheduleRequest, scheduledJob } from './schedule-job.ts'

export interface ReconcileOptions extends LifecycleSurroundings {
  readonly logger: Logger
  readonly tenant: string
  /** The application; null where it has no name of its own. */
  readonly application: string | null
  readonly defaults: ScheduleDefaults
  readonly overrideOf: OverrideOf
}

interface Declared {
  readonly name: string
  readonly type: AnyJobType
  readonly schedule: DeclaredSchedule
}

const PAGE = 500

/**
 * Brings the stored jobs in line with those that the code declares: by name, created or changed. One that is not declared any more is
 * DISABLED, never deleted; whether it was is known only of this application's own, or of job types that stand here.
 */
export async function reconcile(options: ReconcileOptions): Promise<void> {
  const declared = declaredJobs([...options.types.values()])
  for (const each of declared) {
    try {
      await put(options, await requestOf(options, each))
    } catch (error) {
      if (!hasBecomeImpossible(error)) throw error
      options.logger.warn('A declared job is left out', { job: each.name, error })
    }
  }
  await disableVanished(options, new Set(declared.map(({ name }) => name)))
}

/** A wrong declaration is a bug of the code; one whose instants are past, or that a calendar of the operators' excludes, is not. */
function hasBecomeImpossible(error: unknown): boolean {
  if (!(error instanceof PontualError)) return false
  return error.code === 'job.in_past' || (error.code === 'job.never_fires' && 'calendar' in error.details)
}

function declaredJobs(types: readonly AnyJobType[]): Declared[] {
  const declared: Declared[] = []
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

async function requestOf(options: ReconcileOptions, { name, type, schedule }: Declared): Promise<ScheduleRequest> {
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

async function disableVanished(options: ReconcileOptions, names: ReadonlySet<string>): Promise<void> {
  const { store, logger, tenant, application, types } = options
  let after: { tenant: string; name: string } | undefined
  for (;;) {
    const page = await store.jobs.list({ tenant, limit: PAGE, after })
    for (const job of page) {
      const isOurs =
        job.origin === 'code' &&
        job.definition.declaredBy === (application ?? '') &&
        (application !== null || types.has(job.definition.jobType))
      if (!isOurs || names.has(job.name) || job.status === 'DISABLED') continue
      const [result] = await store.jobs.put([vanishedJob(job).change])
      if (result !== 'stored') continue
      logger.warn('A job is disabled, because the code does not declare it any more', { job: job.name })
    }
    const last = page.at(-1)
    if (page.length < PAGE || !last) return
    after = { tenant: last.tenant, name: last.name }
  }
}
