import type { Clock, Env } from '../../clock.ts'
import { type Duration, parseDuration } from '../../duration.ts'
import { InvalidInputError, PontualError, quote } from '../../errors.ts'
import type { AnyActivity } from '../../job/activity/activity.ts'
import { activityType } from '../../job/activity/activity-type.ts'
import { type FaultRule, faultRule } from '../../job/job-definition.ts'
import { requireName } from '../../job/name.ts'
import type { AnyJobType } from '../../job/type/job-type.ts'
import {
  isAtLeast,
  LOG_LEVELS,
  type LogFields,
  type Logger,
  type LogLevel,
  loggerTo,
  silentLogger,
  takesLevel,
  toJsonLine,
} from '../../logger.ts'
import type { StoreSource } from '../../store/store.ts'
import type { Calendar } from '../../time/calendars/calendar.ts'
import { requireCalendar } from '../../time/calendars/calendar.ts'
import { formatInstant } from '../../time/instant.ts'
import { DEFAULT_THRESHOLD_MS } from '../../time/misfire/policy.ts'
import { requireList, requireOneOf, requireOptions } from '../../time/require.ts'
import { Telemetry } from '../telemetry/telemetry.ts'
import type { OverrideOptions } from './cron-overrides.ts'
import type { UnknownTypeRule } from './known-types.ts'
import type { ScheduleDefaults } from './schedule-job.ts'
import { type EngineOptions, type EngineSettings, engineSettings } from './settings.ts'
import { requireConcurrency } from './tenants.ts'

/** What an application is made of. */
export interface PontualOptions extends EngineOptions {
  /** Where everything is kept: `memory()`, `postgres(url)` or `pglite(directory)`. */
  readonly store: StoreSource
  /** The job types this process can run. Without any it only schedules and enqueues. */
  readonly jobs?: readonly AnyJobType[] | undefined
  /** Activities with a queue of their own that this process performs, for durable jobs wherever they run. */
  readonly activities?: readonly AnyActivity[] | undefined
  /** The name of your application. Needed where several share one database and a job type is taken out of the code of one. */
  readonly application?: string | undefined
  /** Whose jobs these are. Default `default`. */
  readonly tenant?: string | undefined
  /**
   * How many executions of each tenant may run at once, over all nodes; stored when the node starts, and kept where it is left out. `setTenant` changes
   * it for one. Default: any number.
   */
  readonly tenantConcurrency?: number | undefined
  /** Calendars by name, stored when the node starts. */
  readonly calendars?: Readonly<Record<string, Calendar>> | undefined
  /** How late an occurrence may be and still fire as if on time, for jobs that do not say. Default 1 minute. */
  readonly misfireThreshold?: Duration | undefined
  /** Whether a job that is FAULTED stops firing until it is resumed, or continues, for jobs and job types that do not say. Default `continue`. */
  readonly onFaulted?: FaultRule | undefined
  /** Where operators change a declared job's cron without a new release. */
  readonly overrides?: OverrideOptions | undefined
  /**
   * How long calls such as `enqueue` wait for a store that is unavailable, as during a switchover, before they fail. 0: they fail at once. Default 15
   * seconds.
   */
  readonly patience?: Duration | undefined
  /**
   * What `enqueue` and `schedule` do with a job type that is given by its id and that no active node knows: `warn` logs it, once per type and minute, with the
   * nearest known id, and `refuse` rejects the call. Without an active node nothing is known, and everything is accepted. Default `warn`.
   */
  readonly unknownJobTypes?: UnknownTypeRule | undefined
  /** Your logger, the lowest level to be written to standard error, or `silent`. Default `warn`. */
  readonly logger?: Logger | LogLevel | 'silent' | undefined
}

export const PONTUAL_OPTIONS = [
  'store',
  'jobs',
  'activities',
  'application',
  'tenant',
  'tenantConcurrency',
  'calendars',
  'misfireThreshold',
  'onFaulted',
  'overrides',
  'patience',
  'unknownJobTypes',
  'logger',
  'node',
  'staleThreshold',
  'staleCheckInterval',
  'renewalInterval',
  'pollInterval',
  'shutdownGrace',
  'defaultTimeout',
  'defaultRetry',
] as const satisfies readonly (keyof PontualOptions)[]

const DEFAULT_TENANT = 'default'
const DEFAULT_PATIENCE_MS = 15_000

/** The options of an application, checked and complete. */
export interface AppOptions {
  readonly env: Env
  /** The time that rules in place of the store's. */
  readonly now?: (() => number) | undefined
  readonly source: StoreSource
  readonly types: ReadonlyMap<string, AnyJobType>
  readonly settings: EngineSettings
  readonly application: string | null
  readonly tenant: string
  /** How many of each tenant may run at once; null: as it is stored. */
  readonly tenantConcurrency: number | null
  readonly calendars: ReadonlyMap<string, Calendar>
  readonly scheduleDefaults: ScheduleDefaults
  readonly overrides: OverrideOptions
  /** How long calls wait for a store that is unavailable. */
  readonly patienceMs: number
  readonly unknownTypeRule: UnknownTypeRule
  readonly logger: Logger
  readonly telemetry: Telemetry
}

export function checkPontualOptions(options: PontualOptions, clock: Clock): Omit<AppOptions, 'env' | 'now'> {
  requireOptions(options, 'Pontual options', PONTUAL_OPTIONS)
  const types = typesById([...requireList(options.jobs ?? [], 'jobs'), ...activityTypes(options.activities ?? [])])
  const settings = engineSettings(
    options,
    [...types.values()].map(({ queue }) => queue),
  )
  const logger = unbreakable(loggerOf(options.logger ?? 'warn', clock))
  return {
    source: requireSource(options.store),
    types,
    settings,
    application: options.application === undefined ? null : requireName(options.application, 'application'),
    tenant: requireName(options.tenant ?? DEFAULT_TENANT, 'tenant'),
    tenantConcurrency:
      options.tenantConcurrency === undefined
        ? null
        : requireConcurrency(options.tenantConcurrency, 'tenantConcurrency'),
    calendars: calendarsOf(options.calendars ?? {}),
    scheduleDefaults: {
      misfireThresholdMs: parseDuration(options.misfireThreshold ?? DEFAULT_THRESHOLD_MS, 'misfireThreshold'),
      retry: settings.defaultRetry,
      onFaulted: faultRule(options.onFaulted ?? 'continue'),
    },
    overrides: requireOptions(options.overrides ?? {}, 'overrides', ['file', 'env']),
    patienceMs: parseDuration(options.patience ?? DEFAULT_PATIENCE_MS, 'patience'),
    unknownTypeRule: requireOneOf(options.unknownJobTypes ?? 'warn', 'unknownJobTypes', ['warn', 'refuse']),
    logger,
    telemetry: new Telemetry(logger),
  }
}

function typesById(jobs: readonly AnyJobType[]): ReadonlyMap<string, AnyJobType> {
  const types = new Map<string, AnyJobType>()
  for (const type of jobs) {
    if (typeof type?.id !== 'string' || typeof type.run !== 'function') {
      throw new InvalidInputError('option.invalid', `jobs must hold what job(…) gives, got ${quote(type)}.`, {
        name: 'jobs',
      })
    }
    if (types.has(type.id)) {
      throw new PontualError('job_type.declared_twice', `Job type "${type.id}" stands in jobs twice.`, {
        jobType: type.id,
      })
    }
    types.set(type.id, type)
  }
  return types
}

function activityTypes(activities: readonly AnyActivity[]): AnyJobType[] {
  return requireList(activities, 'activities').map((activity) => {
    if (typeof activity?.id === 'string' && typeof activity.run === 'function' && activity.rules) {
      return activityType(activity)
    }
    const message = `activities must hold what activity(…) gives, got ${quote(activity)}.`
    throw new InvalidInputError('option.invalid', message, { name: 'activities' })
  })
}

function requireSource(store: StoreSource): StoreSource {
  if (typeof store?.open === 'function') return store
  throw new InvalidInputError(
    'option.invalid',
    `store must be memory(), postgres(url) or pglite(directory), got ${quote(store)}.`,
    { name: 'store' },
  )
}

function calendarsOf(calendars: Readonly<Record<string, Calendar>>): ReadonlyMap<string, Calendar> {
  return new Map(
    Object.entries(calendars).map(([name, calendar]) => [
      requireName(name, 'Calendar name'),
      requireCalendar(calendar, `calendar "${name}"`),
    ]),
  )
}

/** A logger that throws must not break what it tells about. */
function unbreakable(logger: Logger): Logger {
  const write = (level: LogLevel, message: string, fields: LogFields) => {
    try {
      logger[level](message, fields)
    } catch {
      // There is nobody left to tell.
    }
  }
  return loggerTo(write, (level) => takesLevel(logger, level))
}

function loggerOf(logger: Logger | LogLevel | 'silent', clock: Clock): Logger {
  if (logger === 'silent') return silentLogger
  if (typeof logger === 'string') {
    return stderrLogger(
      clock,
      requireOneOf<LogLevel | 'silent'>(logger, 'logger', [...LOG_LEVELS, 'silent']) as LogLevel,
    )
  }
  if (LOG_LEVELS.every((level) => typeof logger?.[level] === 'function')) return logger
  throw new InvalidInputError(
    'option.invalid',
    `logger must be "silent", one of ${LOG_LEVELS.join(', ')}, or an object with a function for each level, got ${quote(logger)}.`,
    { name: 'logger' },
  )
}

/** Lines of JSON on standard error, from a level on. */
function stderrLogger(clock: Clock, lowest: LogLevel): Logger {
  const isWanted = (level: LogLevel) => isAtLeast(level, lowest)
  return loggerTo((level, message, fields) => {
    if (!isWanted(level)) return
    process.stderr.write(`${toJsonLine({ time: formatInstant(clock.now()), level, message, ...fields })}\n`)
  }, isWanted)
}
