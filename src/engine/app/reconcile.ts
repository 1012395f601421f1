import type { Env } from '../../clock.ts'
import { PontualError } from '../../errors.ts'
import type { Job } from '../../job/job.ts'
import { requireName } from '../../job/name.ts'
import type { DeclaredSchedule } from '../../job/schedule-options.ts'
import type { AnyJobType } from '../../job/type/job-type.ts'
import type { Logger } from '../../logger.ts'
import { everyJob } from '../../store/jobs.ts'
import type { NodeDeclaration } from '../../store/nodes.ts'
import type { EngineStore } from '../../store/store.ts'
import { codeOf } from '../lifecycle/audit.ts'
import { changeJob } from '../lifecycle/change-job.ts'
import { vanishedJob } from '../lifecycle/change-status.ts'
import type { LifecycleDeps } from '../lifecycle/status-fields.ts'
import { Loop } from '../node/loop.ts'
import { type OverrideOf, overriddenTrigger } from './cron-overrides.ts'
import { defineJob, type ScheduleDefaults, type ScheduleRequest, scheduledJob } from './schedule-job.ts'

export interface ReconcileOptions extends LifecycleDeps {
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
export async function put(deps: LifecycleDeps, request: ScheduleRequest): Promise<Job> {
  const { store } = deps
  const find = async () => (await store.jobs.findByName(request.tenant, [request.name]))[0] ?? null
  return await changeJob(deps, request.name, find, (existing) => scheduledJob(deps, request, existing))
}

interface VanishedJobsOptions {
  readonly env: Env
  readonly logger: Logger
  readonly store: EngineStore
  readonly types: ReadonlyMap<string, AnyJobType>
  readonly tenant: string
  /** The application; null if it has no name of its own. */
  readonly application: string | null
  /** Names of the jobs that the code of this process declares. */
  readonly names: ReadonlySet<string>
  /** The id of this node. */
  readonly nodeId: () => string | null
}

/** How often a node checks whether the last node that declares a job is gone. */
const CHECK_MS = 5_000

/** Every service may have these jobs and job types, so they do not tell two services apart. */
const BUILT_IN = /^(pontual|http|command|maintenance)\./

const HOW_TO_NAME = 'give each service its own application name (option "application", or PONTUAL_APPLICATION)'

/**
 * Disables jobs that this application declared once, and whose declaration was removed from the code. A job that another active node declares is never disabled:
 * if that node runs another version of the same service, the job is disabled when that node is gone; if it runs another service, the job is left alone.
 */
export class VanishedJobs extends Loop {
  readonly #options: VanishedJobsOptions
  #hasReported = false

  constructor(options: VanishedJobsOptions) {
    const { env, logger } = options
    super({
      name: 'vanished jobs',
      env,
      logger,
      step: async () => ((await this.disable()) ? { inMs: CHECK_MS } : 'whenWoken'),
    })
    this.#options = options
  }

  /** Returns whether another version of the same service still declares some of them. */
  async disable(): Promise<boolean> {
    const { store, logger, application, nodeId } = this.#options
    const vanished = await this.#vanished()
    if (vanished.length === 0) return false
    const others = (await store.nodes.declarations()).filter(({ id }) => id !== nodeId())
    const foreign: { readonly job: string; readonly nodes: readonly string[] }[] = []
    let isWaiting = false
    for (const job of vanished) {
      const nodes = others.filter((node) => mayDeclare(node, job))
      if (nodes.some((node) => this.#isSameService(node, job))) isWaiting = true
      else if (nodes.length > 0) foreign.push({ job: job.name, nodes: nodes.map(({ name }) => name) })
      else {
        const [result] = await store.jobs.put([vanishedJob(job).change])
        const message = `A job is disabled, because the code does not declare it any more; if another service does, ${HOW_TO_NAME}`
        if (result === 'stored') logger.warn(message, { job: job.name, application })
      }
    }
    if (foreign.length > 0 && !this.#hasReported) {
      this.#hasReported = true
      const message = `Another service uses the same application name, and its jobs are left alone: ${HOW_TO_NAME}`
      logger.error(message, { application, jobs: foreign })
    }
    return isWaiting
  }

  /** Stored jobs of this application that its code does not declare. Without a name of its own, only those of job types that it knows. */
  async #vanished(): Promise<Job[]> {
    const { store, tenant, application, types, names } = this.#options
    const vanished: Job[] = []
    for await (const job of everyJob(store.jobs, { tenant })) {
      const isOurs =
        job.origin === 'code' &&
        job.definition.declaredBy === (application ?? '') &&
        (application !== null || types.has(job.definition.jobType))
      if (isOurs && !names.has(job.name) && job.status !== 'DISABLED') vanished.push(job)
    }
    return vanished
  }

  /**
   * Whether a node that declares a job runs a version of this service: both declare another job, or this one knows the type of the job. Two services may share
   * other job types, so these count only if this service declares no job. What an older version declares is unknown: it is waited for.
   */
  #isSameService({ jobTypes, declares }: NodeDeclaration, { definition: { jobType } }: Job): boolean {
    const { types, names } = this.#options
    if (declares === null) return true
    const isOwn = (name: string) => !BUILT_IN.test(name)
    const isShared = (id: string) => isOwn(id) && types.has(id)
    if (isShared(jobType) || declares.jobs.some((name) => isOwn(name) && names.has(name))) return true
    return ![...names].some(isOwn) && jobTypes.some(isShared)
  }
}

function mayDeclare({ declares }: NodeDeclaration, { tenant, name }: Job): boolean {
  return declares === null || (declares.tenant === tenant && declares.jobs.includes(name))
}
